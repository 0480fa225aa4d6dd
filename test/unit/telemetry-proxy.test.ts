import * as tls from 'node:tls';
import { afterEach, expect, test } from 'vitest';
import { createOtlpExporter } from '../../server/adapters/telemetry/otlp-exporter.ts';
import { NO_PROXIES, setProxies } from '../../server/platform/outgoing-proxy.ts';
import { faxTrace } from '../../server/platform/trace.ts';
import { startCollector } from '../setup/collector.ts';
import { startConnectProxy, startTlsFront } from '../setup/connect-proxy.ts';

const trusted = tls.getCACertificates('default');
afterEach(() => {
  setProxies(NO_PROXIES);
  tls.setDefaultCACertificates(trusted);
});

test('sends traces through the proxy to a collector with a certificate that the computer trusts', async () => {
  const collector = await startCollector();
  const front = await startTlsFront('collector.example', Number(new URL(collector.url).port));
  const proxy = await startConnectProxy({ routes: { 'collector.example:443': front.port } });
  tls.setDefaultCACertificates([...trusted, front.root]);
  setProxies({ ...NO_PROXIES, https: new URL(`http://127.0.0.1:${proxy.port}`) });
  const results: (string | null)[] = [];
  const exporter = createOtlpExporter({
    endpoint: 'https://collector.example',
    headers: null,
    serviceName: 'faxdesk',
    release: '0.1.0',
    startedMs: 0,
    share: 1,
    onResult: (problem) => results.push(problem),
  });
  exporter.sendSpan({
    ...faxTrace('1'),
    parentSpanId: null,
    name: 'fax.send',
    kind: 'internal',
    startMs: 1,
    endMs: 2,
    isError: false,
    attributes: {},
    links: [],
  });
  await exporter.stop();
  expect([results, proxy.targets, collector.spans.length]).toEqual([[null], ['collector.example:443'], 1]);
  await proxy.close();
  await front.close();
  await collector.close();
});
