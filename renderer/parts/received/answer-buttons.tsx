import { useNavigate } from '@tanstack/react-router';
import type { InboundFax } from '../../api/inbound.ts';
import { usePermission } from '../../api/queries.ts';
import { t } from '../../texts/index.ts';
import { useActions } from '../../ui/actions.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { isOpenable } from './use-openable.ts';

/** Buttons that open the Send screen with an answer to the fax, or with its pages. Nothing is sent by them. */
export function AnswerButtons({ fax }: { fax: InboundFax }) {
  return usePermission('fax:send') && fax.status === 'received' ? <AllowedButtons fax={fax} /> : null;
}

function AllowedButtons({ fax }: { fax: InboundFax }) {
  const navigate = useNavigate();
  const words = t.inbox.answer;
  const answer = () => void navigate({ to: '/send', search: { answer: fax.id } });
  const forward = () => void navigate({ to: '/send', search: { forward: fax.id } });
  const mayForward = isOpenable(fax);
  useActions(t.inbox.thisFax, [
    { id: 'answer', label: words.answer, icon: 'undo', keys: 'f', run: answer },
    { id: 'forward', label: words.forward, icon: 'send', isDisabled: !mayForward, run: forward },
  ]);
  return (
    <>
      <Button icon="undo" keys="f" onPress={answer}>
        {words.answer}
      </Button>
      <IconButton icon="send" label={words.forward} isDisabled={!mayForward} onPress={forward} />
    </>
  );
}
