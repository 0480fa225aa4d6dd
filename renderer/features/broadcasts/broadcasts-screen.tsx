import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { usePermission } from '../../api/queries.ts';
import { useScreenTitle } from '../../parts/window-title.ts';
import { t } from '../../texts/broadcasts.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { BEGIN } from '../../ui/focus/places.ts';
import { Pane, PaneBody, PaneHead } from '../../ui/pane.tsx';
import { BroadcastList } from './broadcast-list.tsx';
import { BroadcastProgress } from './broadcast-progress.tsx';
import { NewBroadcast } from './new-broadcast.tsx';

const words = t.broadcasts;

/** Shows the broadcasts, the progress of the one that is open, and the form of a new one. */
export function BroadcastsScreen() {
  useScreenTitle(words.title);
  const { broadcastId } = useParams({ from: '/framed/sent/broadcasts/{-$broadcastId}' });
  const [isNew, setNew] = useState(false);
  const maySend = usePermission('fax:send');
  const navigate = useNavigate();
  const show = (id: string) => {
    setNew(false);
    void navigate({ to: '/sent/broadcasts/{-$broadcastId}', params: { broadcastId: id } });
  };
  return (
    <>
      <Pane label={words.list} width="340px">
        <PaneHead level={1} title={words.title}>
          {maySend && (
            <Button {...BEGIN} icon="plus" onPress={() => setNew(true)}>
              {words.sendToSeveral}
            </Button>
          )}
        </PaneHead>
        <BroadcastList openId={isNew ? undefined : broadcastId} onOpen={show} />
      </Pane>
      {isNew && <NewBroadcast onSent={show} onClose={() => setNew(false)} />}
      {!isNew && broadcastId !== undefined && <BroadcastProgress key={broadcastId} id={broadcastId} />}
      {!isNew && broadcastId === undefined && (
        <Pane label={words.choose}>
          <PaneBody>
            <EmptyState icon="group" title={words.choose}>
              {words.chooseSentence}
            </EmptyState>
          </PaneBody>
        </Pane>
      )}
    </>
  );
}
