import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { z } from 'zod';
import type { BlockedSender } from '../../../shared/api/inbound-junk.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { client } from '../../api/client.ts';
import { blockedSendersQuery, refetchBlocked } from '../../api/inbound.ts';
import { usePermission } from '../../api/queries.ts';
import { sentenceOf } from '../../api/sentence.ts';
import { FormDialog } from '../../parts/forms/form-dialog.tsx';
import { LoadProblem } from '../../parts/load-problem.tsx';
import { t } from '../../texts/index.ts';
import { useActions } from '../../ui/actions.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { formatCount, formatFully, formatWhen, usePhoneFormat } from '../../ui/format.ts';
import { announce } from '../../ui/live-region.tsx';
import { Notice } from '../../ui/notice.tsx';
import styles from './blocked-senders.module.css';

type Sender = z.infer<typeof BlockedSender>;

/** Above the list of Junk: the way to the senders whose faxes go there. Nothing for who may not unblock them. */
export function BlockedSenders() {
  const mayBlock = usePermission('senders:block');
  return mayBlock ? <OpenList /> : null;
}

function OpenList() {
  const [isOpen, setOpen] = useState(false);
  const words = t.junk.list;
  const open = () => setOpen(true);
  useActions(t.inbox.title, [{ id: 'blocked-senders', label: words.open, icon: 'block', run: open }]);
  return (
    <div className={styles['line']}>
      <Button icon="block" onPress={open}>
        {words.open}
      </Button>
      {isOpen && <BlockedList onClose={() => setOpen(false)} />}
    </div>
  );
}

function BlockedList({ onClose }: { onClose: () => void }) {
  const words = t.junk.list;
  const blocked = useQuery(blockedSendersQuery);
  const [asked, setAsked] = useState<Sender | null>(null);
  const items = blocked.data?.items;
  return (
    <Dialog
      title={words.title}
      isOpen
      onClose={onClose}
      actions={<Button onPress={onClose}>{words.close}</Button>}
    >
      {!items && <LoadProblem of={blocked} />}
      {items?.length === 0 && <p>{words.none}</p>}
      {items && items.length > 0 && (
        <>
          <p>{words.sentence}</p>
          <ul className={styles['senders']} aria-label={words.title}>
            {items.map((sender) => (
              <SenderRow key={sender.number} sender={sender} onUnblock={() => setAsked(sender)} />
            ))}
          </ul>
        </>
      )}
      {asked && <UnblockDialog sender={asked} onClose={() => setAsked(null)} />}
    </Dialog>
  );
}

function SenderRow({ sender, onUnblock }: { sender: Sender; onUnblock: () => void }) {
  const words = t.junk.list;
  const name = useSenderName()(sender);
  const { blocked_by, blocked_at, junk_faxes, number } = sender;
  const phone = usePhoneFormat();
  const facts = [
    sender.contact && phone(number),
    words.blocked(blocked_by, formatWhen(blocked_at)),
    words.faxes(formatCount(junk_faxes), junk_faxes === 1),
  ].filter((it) => it !== null);
  return (
    <li className={styles['row']}>
      <span className={styles['words']}>
        <span>{name}</span>
        <span className={styles['quiet']} title={formatFully(blocked_at)}>
          {facts.join(' · ')}
        </span>
      </span>
      <Button aria-label={words.unblockLabel(name)} onPress={onUnblock}>
        {words.unblock}
      </Button>
    </li>
  );
}

/** Asks before a sender is unblocked, and whether its faxes come back as well. */
function UnblockDialog({ sender, onClose }: { sender: Sender; onClose: () => void }) {
  const words = t.junk.list;
  const name = useSenderName()(sender);
  const { number, junk_faxes } = sender;
  const [bringsBack, setBringsBack] = useState(false);
  const unblock = useMutation({
    mutationFn: () =>
      client.junk.unblockSender({ params: { number }, query: bringsBack ? { bring_back: 'true' } : {} }),
    onSuccess: ({ brought_back: count }) => {
      refetchBlocked();
      announce(count === 0 ? words.done(name) : words.doneWith(name, formatCount(count), count === 1));
      onClose();
    },
  });
  const { broughtBack: most } = LIMITS;
  return (
    <FormDialog
      title={words.question(name)}
      words={{ save: words.run, cancel: words.cancel }}
      isPending={unblock.isPending}
      blocked={null}
      onSave={() => unblock.mutate()}
      onClose={onClose}
    >
      <p>{words.arrive}</p>
      {junk_faxes > 0 && (
        <div>
          <Checkbox isSelected={bringsBack} onChange={setBringsBack}>
            {junk_faxes > most
              ? words.bringBackNewest(formatCount(most))
              : words.bringBack(formatCount(junk_faxes), junk_faxes === 1)}
          </Checkbox>
          {bringsBack && <p className={styles['quiet']}>{words.wait}</p>}
        </div>
      )}
      {unblock.error && (
        <Notice tone="danger" isLive>
          {sentenceOf(unblock.error)}
        </Notice>
      )}
    </FormDialog>
  );
}

function useSenderName(): (sender: Sender) => string {
  const phone = usePhoneFormat();
  return ({ contact, number }) => contact?.name ?? phone(number);
}
