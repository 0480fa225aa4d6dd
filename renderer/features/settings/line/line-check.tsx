import { useMutation } from '@tanstack/react-query';
import { usePermission } from '../../../api/queries.ts';
import { sentenceOf } from '../../../api/sentence.ts';
import { telephony } from '../../../api/telephony.ts';
import { t } from '../../../texts/administration.ts';
import { MainButton } from '../../../ui/main-button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { StateWord } from '../../../ui/state-word.tsx';
import styles from '../settings.module.css';

const words = t.settings.line;

/** Checks everything the saved line needs, up to sending a page within Asterisk. */
export function LineCheck() {
  const mayCheck = usePermission('providers:write');
  const checking = useMutation({
    mutationFn: async () => (await telephony.checkTelephony({ body: { loop: true } })).checks,
    gcTime: 0,
  });
  return (
    <section className={styles['part']} aria-labelledby="line-check">
      <h3 className={styles['title']} id="line-check">
        {words.whole}
      </h3>
      <p className={styles['sentence']}>{words.wholeSentence}</p>
      <div className={styles['aside']}>
        <MainButton
          variant="default"
          icon="refresh"
          isPending={checking.isPending}
          reason={mayCheck ? null : words.mayNot}
          onPress={() => checking.mutate()}
        >
          {words.check}
        </MainButton>
        <span className={styles['note']}>{checking.isPending && words.checking}</span>
      </div>
      <div role="status">
        {checking.error && <Notice tone="danger">{sentenceOf(checking.error)}</Notice>}
        {checking.data && (
          <ul className={styles['changes']} aria-label={words.results}>
            {checking.data.map(({ name, ok, detail }) => (
              <li key={name}>
                <StateWord tone={ok ? 'ok' : 'danger'} icon={ok ? 'ok' : 'alert'} size="body">
                  <span className={styles['result']}>{detail}</span>
                </StateWord>
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}
