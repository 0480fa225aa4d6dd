import { useEffect } from 'react';
import { sentenceOf } from '../../../api/sentence.ts';
import { t } from '../../../texts/index.ts';
import { Button } from '../../../ui/button.tsx';
import { formatCount, formatDuration } from '../../../ui/format.ts';
import { announce } from '../../../ui/live-region.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Switch } from '../../../ui/switch.tsx';
import type { DraftOptions } from '../draft/draft.ts';
import styles from './number-note.module.css';
import { type EncodedFax, encodedFormOf, useEncodedEstimate } from './use-encoded-call.ts';

const words = t.send.encoded;

interface EncodedNoteProps extends EncodedFax {
  readonly onForm: (pageForm: DraftOptions['pageForm']) => void;
}

/** Shows how the document goes to a recipient with encoded pages: how many, how long, and what they are good for. */
export function EncodedNote(props: EncodedNoteProps) {
  const encoded = encodedFormOf(props);
  return encoded && <Encoded {...props} {...encoded} />;
}

function Encoded(props: EncodedNoteProps & { to: string; form: 'plain' | 'encrypted' }) {
  const { to, form, options, preview, onForm } = props;
  const estimate = useEncodedEstimate(props);
  const { encoded, note, problem } = estimate.data ?? { encoded: null, note: null, problem: null };
  const isOrdinary = options.pageForm === 'ordinary' && form === 'plain';
  const title = form === 'encrypted' ? words.encryptedTitle : words.title;
  useEffect(() => announce(`${title}. ${words.honest}`), [title, to]);
  if (problem !== null)
    return (
      <Notice tone="danger" title={problem} isLive>
        <p className={styles['text']}>{words.neverClear}</p>
        {options.pageForm === 'ordinary' && (
          <Button variant="link" onPress={() => onForm('')}>
            {words.encrypted}
          </Button>
        )}
      </Notice>
    );
  return (
    <Notice tone="plain" icon="file" title={title}>
      <p className={styles['text']}>{words.honest}</p>
      {estimate.error !== null && <p className={styles['text']}>{sentenceOf(estimate.error)}</p>}
      {encoded !== null && preview !== null && (
        <p className={styles['text']}>
          {words.estimate(
            formatCount(encoded.pages),
            encoded.pages === 1,
            formatDuration(encoded.seconds),
            formatCount(preview.pages),
            preview.pages === 1,
          )}
        </p>
      )}
      {note !== null && !isOrdinary && <p className={styles['text']}>{note}</p>}
      {form === 'plain' && (
        <div className={styles['line']}>
          <Switch isSelected={isOrdinary} onChange={(isOn) => onForm(isOn ? 'ordinary' : '')}>
            {words.ordinary}
          </Switch>
          {note !== null && options.pageForm === '' && (
            <Button variant="link" onPress={() => onForm('encoded')}>
              {words.anyway}
            </Button>
          )}
        </div>
      )}
    </Notice>
  );
}
