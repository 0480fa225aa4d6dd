import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { usePermission } from '../../api/queries.ts';
import { useScreenTitle } from '../../parts/window-title.ts';
import { t } from '../../texts/cases.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { BEGIN } from '../../ui/focus/places.ts';
import { Pane, PaneBody, PaneHead } from '../../ui/pane.tsx';
import { CaseList } from './case-list.tsx';
import { CasePackets } from './case-packets.tsx';
import { NewPacket } from './new-packet.tsx';

const words = t.cases;

/** Shows the cases, the packets of the one that is open, and the form of a new packet. */
export function CasesScreen() {
  useScreenTitle(words.title);
  const { caseId } = useParams({ from: '/framed/cases/{-$caseId}' });
  const [isNew, setNew] = useState(false);
  const maySend = usePermission('fax:send');
  const navigate = useNavigate();
  const show = (id: string) => {
    setNew(false);
    void navigate({ to: '/cases/{-$caseId}', params: { caseId: id } });
  };
  return (
    <>
      <Pane label={words.list} width="340px">
        <PaneHead level={1} title={words.title}>
          {maySend && (
            <Button {...BEGIN} icon="plus" onPress={() => setNew(true)}>
              {words.newPacket}
            </Button>
          )}
        </PaneHead>
        <CaseList openId={isNew ? undefined : caseId} onOpen={show} />
      </Pane>
      {isNew && <NewPacket caseId={caseId ?? ''} onSent={show} onClose={() => setNew(false)} />}
      {!isNew && caseId !== undefined && <CasePackets key={caseId} caseId={caseId} />}
      {!isNew && caseId === undefined && (
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
