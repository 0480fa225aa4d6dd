import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type CoverWithUse, covers, coversChanged } from '../../api/covers.ts';
import { usePermission } from '../../api/queries.ts';
import { sentenceOf } from '../../api/sentence.ts';
import { Question } from '../../parts/forms/question.tsx';
import { t } from '../../texts/covers.ts';
import { useActions } from '../../ui/actions.tsx';
import { Button } from '../../ui/button.tsx';
import { ENDS } from '../../ui/focus/places.ts';
import { announce } from '../../ui/live-region.tsx';
import styles from './cover-details.module.css';
import { CoverDialog } from './cover-dialog.tsx';
import { PdfDialog } from './pdf-dialog.tsx';

const words = t.covers.details;

/** Buttons for a cover page, for people who may change settings. Those of Faxdesk can be copied only. */
export function CoverActions(props: {
  cover: CoverWithUse;
  onClose: () => void;
  onShow: (id: string) => void;
}) {
  const { cover, onClose, onShow } = props;
  const mayChange = usePermission('settings:write');
  const [doing, setDoing] = useState<'edit' | 'copy' | 'remove' | null>(null);
  const done = () => setDoing(null);
  const isOwn = !cover.built_in;
  useActions(t.covers.keys.thisCover, [
    {
      id: 'edit-cover',
      label: t.covers.keys.edit,
      keys: 'e',
      isDisabled: !mayChange || !isOwn,
      run: () => setDoing('edit'),
    },
  ]);
  if (!mayChange) return null;
  if (doing === 'remove') return <RemoveQuestion cover={cover} onNo={done} onRemoved={onClose} />;
  const copied = ({ id }: { id: string }) => {
    done();
    onShow(id);
  };
  return (
    <div className={styles['line']}>
      {isOwn && (
        <Button keys="e" onPress={() => setDoing('edit')}>
          {cover.kind === 'pdf' ? words.replace : words.edit}
        </Button>
      )}
      {cover.kind === 'page' && <Button onPress={() => setDoing('copy')}>{words.copy}</Button>}
      {isOwn && (
        <Button {...ENDS} onPress={() => setDoing('remove')}>
          {words.remove}
        </Button>
      )}
      {doing === 'edit' && cover.kind === 'page' && (
        <CoverDialog cover={cover} onClose={done} onDone={done} />
      )}
      {doing === 'edit' && cover.kind === 'pdf' && <PdfDialog cover={cover} onClose={done} onDone={done} />}
      {doing === 'copy' && <CoverDialog copied={cover} onClose={done} onDone={copied} />}
    </div>
  );
}

function RemoveQuestion(props: { cover: CoverWithUse; onNo: () => void; onRemoved: () => void }) {
  const { cover, onNo, onRemoved } = props;
  const { id, name, version, used_by: use } = cover;
  const removing = useMutation({
    mutationFn: () => covers.removeCover({ params: { id }, body: { version } }),
    onSuccess: async () => {
      announce(words.removed(name));
      onRemoved();
      await coversChanged(id);
    },
  });
  return (
    <Question
      title={words.removeTitle(name)}
      sentence={words.removeSentence(use.contacts, use.mailboxes)}
      yes={words.removeYes}
      no={words.cancel}
      isPending={removing.isPending}
      reason={null}
      onYes={() => removing.mutate()}
      onNo={onNo}
    >
      {removing.error !== null && <p role="alert">{sentenceOf(removing.error)}</p>}
    </Question>
  );
}
