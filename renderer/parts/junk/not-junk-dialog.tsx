import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../api/client.ts';
import { blockedSendersQuery, type InboundFax, refetchBlocked, storeFax } from '../../api/inbound.ts';
import { sentenceOf } from '../../api/sentence.ts';
import { t } from '../../texts/index.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { usePhoneFormat } from '../../ui/format.ts';
import { announce } from '../../ui/live-region.tsx';
import { Notice } from '../../ui/notice.tsx';
import { FormDialog } from '../forms/form-dialog.tsx';
import { pagesOf, senderOf } from '../received/fax-words.ts';

/** Asks before a fax is taken out of Junk, and whether its sender is unblocked as well. */
export function NotJunkDialog(props: {
  fax: InboundFax;
  onClose: () => void;
  /** The fax is back. */
  onActed: () => void;
}) {
  const { fax, onClose, onActed } = props;
  const words = t.junk.notJunk;
  const phone = usePhoneFormat();
  const sender = senderOf(fax, phone);
  const [unblocks, setUnblocks] = useState(true);
  const isBlocked =
    useQuery(blockedSendersQuery).data?.items.some(({ number }) => number === fax.fr) ?? false;
  const bringBack = useMutation({
    mutationFn: () =>
      client.junk.notJunk({ params: { id: fax.id }, body: { unblock: isBlocked && unblocks } }),
    onSuccess: (returned) => {
      storeFax(returned);
      refetchBlocked();
      announce(isBlocked && unblocks ? words.unblocked(sender) : words.done(sender));
      onActed();
    },
  });
  return (
    <FormDialog
      title={words.title}
      helpPage="received-faxes#unwanted-faxes"
      words={{ save: words.run, cancel: words.cancel }}
      isPending={bringBack.isPending}
      blocked={null}
      onSave={() => bringBack.mutate()}
      onClose={onClose}
    >
      <p>
        <strong>{t.junk.block.fax(sender, pagesOf(fax))}</strong>
      </p>
      <p>{words.back}</p>
      {isBlocked && (
        <div>
          <Checkbox isSelected={unblocks} onChange={setUnblocks}>
            {words.unblock}
          </Checkbox>
          <p>{unblocks ? words.opens : words.stays}</p>
        </div>
      )}
      {bringBack.error && (
        <Notice tone="danger" isLive>
          {sentenceOf(bringBack.error)}
        </Notice>
      )}
    </FormDialog>
  );
}
