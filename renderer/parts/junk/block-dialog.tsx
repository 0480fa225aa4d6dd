import { useMutation, useQuery } from '@tanstack/react-query';
import { UNKNOWN_NUMBER } from '../../../shared/api/inbound-shapes.ts';
import { client } from '../../api/client.ts';
import { blockedSendersQuery, type InboundFax, refetchBlocked, storeFax } from '../../api/inbound.ts';
import { isRefused, sentenceOf } from '../../api/sentence.ts';
import { t } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { usePhoneFormat } from '../../ui/format.ts';
import { announce } from '../../ui/live-region.tsx';
import { Notice } from '../../ui/notice.tsx';
import { FormDialog } from '../forms/form-dialog.tsx';
import { pagesOf } from '../received/fax-words.ts';
import { rememberAction } from '../work/last-action.ts';

interface BlockDialogProps {
  readonly fax: InboundFax;
  readonly onClose: () => void;
  /** The sender is blocked, and the fax is in Junk. */
  readonly onActed: () => void;
}

/** Asks before the sender of a fax is blocked; for a fax without a number, says why that is not possible. */
export function BlockDialog(props: BlockDialogProps) {
  if (props.fax.fr === UNKNOWN_NUMBER) return <CannotBlock onClose={props.onClose} />;
  return <Question {...props} />;
}

function CannotBlock({ onClose }: { onClose: () => void }) {
  const words = t.junk.block;
  return (
    <Dialog
      title={words.cannot}
      helpPage="received-faxes#unwanted-faxes"
      isOpen
      onClose={onClose}
      actions={
        <Button variant="primary" autoFocus onPress={onClose}>
          {words.close}
        </Button>
      }
    >
      <p>{words.withheld}</p>
    </Dialog>
  );
}

interface BlockOrder {
  readonly evenIfKnown: boolean;
  /**
   * As the list of blocked senders had it before; undefined when it was not read yet. The answer counts the block itself
   * when the request was repeated.
   */
  readonly wasBlocked: boolean | undefined;
}

function Question({ fax, onClose, onActed }: BlockDialogProps) {
  const words = t.junk.block;
  const phone = usePhoneFormat();
  const sender = fax.contact ? `${fax.contact.name} (${phone(fax.fr)})` : phone(fax.fr);
  const listed = useQuery(blockedSendersQuery).data?.items;
  const block = useMutation({
    mutationFn: ({ evenIfKnown }: BlockOrder) =>
      client.junk.blockSender({ body: { fax_id: fax.id, even_if_known: evenIfKnown } }),
    onSuccess: ({ was_blocked, fax: junk }, { wasBlocked = was_blocked }) => {
      if (junk) storeFax(junk);
      refetchBlocked();
      const sentence = words.done(sender);
      announce(sentence);
      rememberAction({
        sentence,
        what: words.what(sender),
        items: fax.work_item_id === null ? [] : [{ id: fax.work_item_id, version: 0 }],
        undo: async () => {
          storeFax(await client.junk.notJunk({ params: { id: fax.id }, body: { unblock: !wasBlocked } }));
          refetchBlocked();
        },
      });
      onActed();
    },
  });
  const isKnown = fax.contact !== null || isRefused(block.error, 'sender_known');
  return (
    <FormDialog
      title={words.title}
      helpPage="received-faxes#unwanted-faxes"
      words={{ save: isKnown ? words.anyway : words.run, cancel: words.cancel }}
      isPending={block.isPending}
      blocked={null}
      onSave={() =>
        block.mutate({ evenIfKnown: isKnown, wasBlocked: listed?.some(({ number }) => number === fax.fr) })
      }
      onClose={onClose}
    >
      <p>
        <strong>{words.fax(sender, pagesOf(fax))}</strong>
      </p>
      {fax.contact && (
        <Notice tone="warn" title={words.contact(fax.contact.name)}>
          {words.contactSentence}
        </Notice>
      )}
      <p>{words.next}</p>
      <p>
        {words.this} {words.earlier}
      </p>
      {block.error && (
        <Notice tone={isRefused(block.error, 'sender_known') ? 'warn' : 'danger'} isLive>
          {sentenceOf(block.error)}
        </Notice>
      )}
    </FormDialog>
  );
}
