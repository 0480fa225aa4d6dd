import { useNavigate, useParams } from '@tanstack/react-router';
import { ListAndForm } from '../../parts/lists/list-and-form.tsx';
import { t } from '../../texts/cases.ts';
import { CaseList } from './case-list.tsx';
import { CasePackets } from './case-packets.tsx';
import { NewPacket } from './new-packet.tsx';

/** Shows the cases, the packets of the one that is open, and the form of a new packet. */
export function CasesScreen() {
  const { caseId } = useParams({ from: '/framed/cases/{-$caseId}' });
  const navigate = useNavigate();
  return (
    <ListAndForm
      words={t.cases}
      begin={t.cases.newPacket}
      openId={caseId}
      onOpen={(id) => void navigate({ to: '/cases/{-$caseId}', params: { caseId: id } })}
      list={(choice) => <CaseList {...choice} />}
      form={(acts) => <NewPacket caseId={caseId ?? ''} {...acts} />}
      entry={(id) => <CasePackets key={id} caseId={id} />}
    />
  );
}
