import { afterEach, beforeEach, expect, test } from 'vitest';
import { faxTrace } from '../../server/platform/trace.ts';
import { attributesOf, type Collector, startCollector } from '../setup/collector.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { MINUTE } from '../setup/manual-clock.ts';
import { InboundGateway } from './inbound-setup.ts';

const PARENT = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' };
const TRACEPARENT = { traceparent: `00-${PARENT.traceId}-${PARENT.spanId}-01` };

let collector: Collector;
beforeEach(async () => {
  collector = await startCollector();
});
afterEach(() => collector.close());

const settings = () => ({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
const named = (name: string) => collector.spans.filter((span) => span.name === name);

async function deliver(gateway: TestGateway): Promise<string> {
  const { id } = await gateway.send({}, TRACEPARENT);
  await gateway.processAll();
  gateway.emulator.complete(String((await gateway.fax(id)).provider_sid));
  gateway.clock.advance(MINUTE);
  await gateway.processAll();
  expect((await gateway.fax(id)).delivery_state).toBe('success');
  return id;
}

test('a fax has one trace from its history, linked with the request that continues the trace of its caller', async () => {
  const gateway = await startTestGateway({ settings: settings() });
  const id = await deliver(gateway);
  await gateway.close();
  const [accepted] = named('POST /fax');
  expect(accepted).toMatchObject({ traceId: PARENT.traceId, parentSpanId: PARENT.spanId });
  expect(named('document.prepare')[0]).toMatchObject({
    traceId: PARENT.traceId,
    parentSpanId: accepted?.spanId,
  });
  const { traceId, spanId } = faxTrace(id);
  expect(accepted?.links).toEqual([expect.objectContaining({ traceId, spanId })]);
  const [fax] = named('fax.send');
  expect(fax).toMatchObject({ traceId, spanId });
  expect(fax?.links).toContainEqual(
    expect.objectContaining({ traceId: PARENT.traceId, spanId: accepted?.spanId }),
  );
  expect(attributesOf(fax as never)).toMatchObject({ 'fax.id': id, 'fax.state': 'success' });
  const steps = collector.spans.filter((span) => span.parentSpanId === spanId).map(({ name }) => name);
  expect(steps).toEqual(['fax.queue', 'fax.submit', 'fax.transmit']);
  expect(named('fax.send')).toHaveLength(1);
});

test('a received fax has its way until it is filed', async () => {
  const inbound = await InboundGateway.start({ settings: settings() });
  expect((await inbound.notify(inbound.arrive())).status).toBe(200);
  await inbound.work();
  const [held] = await inbound.list();
  await inbound.close();
  const whole = faxTrace(held?.id ?? '');
  expect(named('fax.receive')[0]).toMatchObject(whole);
  expect(attributesOf(named('fax.receive')[0] as never)).toMatchObject({ 'fax.state': 'received' });
  expect(named('fax.fetch')[0]).toMatchObject({ traceId: whole.traceId, parentSpanId: whole.spanId });
});

test('rule (crossings): traces and metrics hold no number, name or file name, and the metrics are those of /metrics', async () => {
  const gateway = await startTestGateway({ settings: { ...settings(), OTEL_SERVICE_NAME: 'front-desk' } });
  const answer = await gateway.request('GET', '/metrics');
  const names = [...(await answer.text()).matchAll(/^# TYPE (\w+) (?:gauge|counter|histogram)$/gmu)].map(
    ([, name]) => name,
  );
  await deliver(gateway);
  await gateway.close();
  const sent = collector.bodies.join('');
  expect(sent).not.toMatch(/5550123|letter|\.txt|Clinic/u);
  expect(sent).toContain('front-desk');
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name) => !collector.metrics.has(name ?? ''))).toEqual([]);
});

test.each([
  ['is away', (it: Collector) => it.close()],
  ['refuses', async (it: Collector) => void (it.status = 401)],
  ['never answers', async (it: Collector) => void (it.status = null)],
])('a collector that %s delays no fax and no stop, and is named by one line of the log', async (_, fail) => {
  const gateway = await startTestGateway({ settings: settings() });
  await fail(collector);
  const began = performance.now();
  await deliver(gateway);
  await deliver(gateway);
  await gateway.close();
  expect(performance.now() - began).toBeLessThan(15_000);
  const lines = gateway.logLines.filter((line) => line.includes('collector of traces does not'));
  // Of a collector that may come back the result is known after ten seconds.
  expect(lines).toHaveLength(collector.status === 401 ? 1 : 0);
});

test('a share of traces keeps whole traces or nothing, and headers go to the collector', async () => {
  const gateway = await startTestGateway({
    settings: {
      ...settings(),
      OTEL_TRACES_SAMPLER_ARG: '0',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20secret,x-office=1',
    },
  });
  await deliver(gateway);
  await gateway.close();
  expect(collector.spans).toEqual([]);
  expect(collector.headers[0]).toMatchObject({ authorization: 'Bearer secret', 'x-office': '1' });
});
