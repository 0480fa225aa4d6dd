import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BENCH_KEY } from './bench-key.ts';
import { startChild } from './child.ts';
import type { Figure } from './figure.ts';
import type { GatewayReady } from './gateway-process.ts';

const FAXES = 60;
const WARM_UP = 10;
const PUBLIC_URL = 'https://fax.example.com';

interface Provider {
  environment: Record<string, string>;
  authorization: string;
}

/** From the moment a provider notifies of a one-page fax until it is filed, against the provider's own download time. */
export async function measureFiling(): Promise<Figure[]> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'faxdesk-bench-'));
  const provider = await startChild<Provider>('inbound-provider-process.ts', {});
  const environment = {
    ...provider.ready.environment,
    INBOUND_ENABLED: 'true',
    INBOUND_POLLING: 'off',
    PUBLIC_API_URL: PUBLIC_URL,
  };
  const gateway = await startChild<GatewayReady>('gateway-process.ts', { dataFolder, environment });
  try {
    const filed: number[] = [];
    const downloads: number[] = [];
    for (let i = 0; i < FAXES + WARM_UP; i += 1) {
      const { id, ms } = await fileOne(provider, gateway.ready.url);
      const download = await downloadOf(provider.ready, id);
      if (i < WARM_UP) continue;
      filed.push(ms);
      downloads.push(download);
    }
    const [ours, theirs] = [percentile(filed), percentile(downloads)];
    return [
      {
        name: 'from the notification of a one-page fax until it is filed, 95 of 100',
        ratio: Number((ours / theirs).toFixed(2)),
        bar: 0,
        unit: 'of the download alone',
        detail: `${ours.toFixed(0)} ms, download alone ${theirs.toFixed(1)} ms`,
      },
    ];
  } finally {
    await gateway.stop();
    await provider.stop();
    await rm(dataFolder, { recursive: true, force: true });
  }
}

async function fileOne(
  provider: { call<A>(name: string, argument?: unknown): Promise<A> },
  url: string,
): Promise<{ id: string; ms: number }> {
  const began = Date.now();
  const address = { url: `${url}/cloudone-inbound`, signedUrl: `${PUBLIC_URL}/cloudone-inbound` };
  const id = await provider.call<string>('arrive', address);
  for (;;) {
    const [fax] = await requestJson<{ id: string; status: string; updated_at: string }[]>(
      url,
      `/inbound?q=${id}&limit=1`,
    );
    if (fax?.status === 'received') return { id, ms: Date.parse(fax.updated_at) - began };
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
}

async function requestJson<T>(url: string, path: string): Promise<T> {
  return (await (await fetch(`${url}${path}`, { headers: { 'X-API-Key': BENCH_KEY } })).json()) as T;
}

async function downloadOf({ environment, authorization }: Provider, id: string): Promise<number> {
  const began = performance.now();
  const answer = await fetch(`${environment['CLOUDONE_API_URL']}/faxes/${id}/file`, {
    headers: { authorization },
  });
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`the document could not be downloaded: ${answer.status}`);
  return performance.now() - began;
}

/** The value that 95 of 100 stay below. */
function percentile(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? Number.NaN;
}
