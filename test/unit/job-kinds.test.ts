import { describe, expect, it } from 'vitest';
import { sourceFiles } from '../../scripts/source-tree.ts';
import { isRegularWork, JOB_KINDS, jobKindWords } from '../../shared/job-kinds.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';

const KINDS = Object.keys(JOB_KINDS);

describe('Background work', () => {
  it('is defined for each kind that has words, and every other kind does not compile', () => {
    const product = sourceFiles('server').map(({ text }) => text);
    const unused = KINDS.filter((kind) => !product.some((text) => text.includes(`kind: '${kind}'`)));
    expect(unused).toEqual([]);
  });

  it('has plain words, for each kind others', () => {
    const words = KINDS.map(jobKindWords);
    expect(new Set(words).size).toBe(KINDS.length);
    for (const text of words) expect(text).toMatch(/^[A-Z][a-z]+(?: [a-z-]+)+$/u);
  });

  it('of a kind that only another release has says so', () => {
    expect(jobKindWords('work.escalate')).toBe('Work of another release (work.escalate)');
  });

  it('is shown under its words, all that a gateway has', async () => {
    const gateway = await startTestGateway({ settings: { INBOUND_ENABLED: 'true' } });
    try {
      const fresh = Object.keys(await waitingOn(gateway));
      expect(fresh).toEqual(expect.arrayContaining(['fax.callbacks', 'fax.cleanup', 'inbound.poll']));
      // At rest only what is done regularly waits.
      expect(fresh.filter((kind) => !isRegularWork(kind))).toEqual([]);
      await gateway.send();
      await gateway.send({ send_at: new Date(gateway.clock.now() + 3_600_000).toISOString() });
      await gateway.processAll();
      const waiting = Object.keys(await waitingOn(gateway));
      expect(waiting).toEqual(expect.arrayContaining(['fax.poll', 'fax.wait', 'inbound.poll']));
      expect(waiting.filter((kind) => !KINDS.includes(kind))).toEqual([]);
      expect(['fax.poll', 'fax.wait'].filter(isRegularWork)).toEqual([]);
    } finally {
      await gateway.close();
    }
  });
});

async function waitingOn(gateway: TestGateway): Promise<Record<string, number>> {
  const status = await (await gateway.request('GET', '/console/status')).json();
  return (status as { waiting: Record<string, number> }).waiting;
}
