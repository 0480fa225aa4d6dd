import { useQuery } from '@tanstack/react-query';
import { LINE_BACKEND } from '../../../../shared/backends.ts';
import { useInstallation, usePermission } from '../../../api/queries.ts';
import { randomId } from '../../../api/random-id.ts';
import { sentenceOf } from '../../../api/sentence.ts';
import type { Setting } from '../../../api/settings.ts';
import { lineQuery } from '../../../api/telephony.ts';
import { useTestFax } from '../../../parts/test-fax/test-fax.ts';
import { TestProgress } from '../../../parts/test-fax/test-progress.tsx';
import { t } from '../../../texts/administration.ts';
import { Button } from '../../../ui/button.tsx';
import { Notice } from '../../../ui/notice.tsx';
import styles from '../settings.module.css';

const words = t.settings.line;

/** A page that goes out over the line to our own number by a call, and comes in again. */
export function LineTest({ settings, hasChanges }: { settings: readonly Setting[]; hasChanges: boolean }) {
  const test = useTestFax();
  const own = useInstallation()?.fax_number ?? null;
  const obstacle = useObstacle(settings, hasChanges);
  const { sending } = test;
  return (
    <section className={styles['part']} aria-labelledby="line-test">
      <h3 className={styles['title']} id="line-test">
        {words.itself}
      </h3>
      <p className={styles['sentence']}>{words.itselfSentence}</p>
      {!test.fax && (
        <div className={styles['aside']}>
          <Button
            icon="send"
            isPending={sending.isPending}
            isDisabled={obstacle !== null || own === null}
            onPress={() => own !== null && sending.mutate({ to: own, key: randomId() })}
          >
            {words.sendItself}
          </Button>
          <span className={styles['note']}>{sending.isPending ? words.checkingFirst : obstacle}</span>
        </div>
      )}
      <div role="status">
        {sending.error && <Notice tone="danger">{sentenceOf(sending.error)}</Notice>}
        {test.problem !== null && !test.fax && (
          <Notice tone="warn" title={words.notReady}>
            {test.problem}
          </Notice>
        )}
      </div>
      {test.fax && <TestProgress fax={test.fax} onAnother={test.another} />}
    </section>
  );
}

/** Returns why no fax can be sent to itself with the saved settings; null when one can. */
function useObstacle(settings: readonly Setting[], hasChanges: boolean): string | null {
  const mayCheck = usePermission('providers:write');
  const maySend = usePermission('fax:send');
  const installation = useInstallation();
  const facts = useQuery({ ...lineQuery, enabled: mayCheck });
  const valueOf = (wanted: string) => settings.find(({ name }) => name === wanted)?.value;
  if (!mayCheck) return words.mayNot;
  if (!maySend) return t.setup.test.mayNot;
  if (hasChanges) return words.saveFirst;
  if (facts.data?.problem) return facts.data.problem;
  if (!installation?.fax_number) return words.noNumber;
  if (valueOf('FAX_BACKEND') !== LINE_BACKEND) return words.notChosen;
  if (!installation.receiving.enabled) return words.receivingOff;
  if (!installation.sending.enabled) return t.setup.test.off;
  return Number(valueOf('TRUNK_LINES')) < 2 ? words.oneLine : null;
}
