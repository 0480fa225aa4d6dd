import { useNavigate, useParams } from '@tanstack/react-router';
import { ListAndForm } from '../../parts/lists/list-and-form.tsx';
import { NEW_BROADCAST } from '../../parts/new-broadcast-place.ts';
import { t } from '../../texts/broadcasts.ts';
import { BroadcastList } from './broadcast-list.tsx';
import { BroadcastProgress } from './broadcast-progress.tsx';
import { NewBroadcast } from './new-broadcast.tsx';

/** Shows the broadcasts, the progress of the one that is open, and the form of a new one. */
export function BroadcastsScreen() {
  const { broadcastId } = useParams({ from: '/framed/sent/broadcasts/{-$broadcastId}' });
  const navigate = useNavigate();
  const isNew = broadcastId === NEW_BROADCAST.params.broadcastId;
  const open = (id: string | undefined) =>
    void navigate({ to: '/sent/broadcasts/{-$broadcastId}', params: { broadcastId: id } });
  return (
    <ListAndForm
      words={t.broadcasts}
      begin={t.shell.sendToSeveral}
      beginsNew={isNew}
      openId={isNew ? undefined : broadcastId}
      onOpen={open}
      onClose={() => open(undefined)}
      list={(choice) => <BroadcastList {...choice} />}
      form={(acts) => <NewBroadcast {...acts} />}
      entry={(id, isJustSent) => <BroadcastProgress key={id} id={id} isJustSent={isJustSent} />}
    />
  );
}
