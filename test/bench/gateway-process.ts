import { cacheCompiledModules } from '../../server/platform/compile-cache.ts';
import { keepHeapSmall } from '../../server/platform/small-heap.ts';
import { childOptions, processorMs, serveCalls } from './child.ts';
import { ownChildren } from './own-children.ts';

interface GatewayChildOptions {
  dataFolder: string;
  databaseUrl?: string | null;
  severalGateways?: boolean;
  environment: Record<string, string>;
  /** Difference of its clock from that of the computer. */
  aheadMs?: number;
  /** True shows none of its lines. */
  isQuiet?: boolean;
  /** Root of the certificates of partners, PEM. */
  partnerCa?: string;
}

export interface GatewayReady {
  url: string;
  /** From the start of the process until requests are answered. Milliseconds. */
  readyMs: number;
  /** Of these, the time until the modules were loaded. */
  loadedMs: number;
}

export interface Memory {
  /** With that of the process of documents. */
  rss: number;
  heapUsed: number;
  external: number;
}

import { BENCH_KEY } from './bench-key.ts';

// As the command line starts it.
cacheCompiledModules();
keepHeapSmall();
const { startGateway } = await import('../../server/index.ts');
const { createLogger } = await import('../../server/platform/logger.ts');
const loadedMs = performance.now();
const { dataFolder, databaseUrl, severalGateways, environment, aheadMs, isQuiet, partnerCa } =
  childOptions() as GatewayChildOptions;
let ahead = aheadMs ?? 0;

const gateway = await startGateway({
  boot: {
    dataFolder,
    host: '127.0.0.1',
    port: 0,
    databaseUrl: databaseUrl ?? null,
    severalGateways: severalGateways ?? false,
    apiKey: BENCH_KEY,
    requireApiKey: true,
    dataKey: null,
  },
  environment,
  ...(partnerCa === undefined ? {} : { peerNetwork: { ca: partnerCa } }),
  clock: { now: () => Date.now() + ahead },
  logger: createLogger({ write: logLine }),
});
serveCalls({ url: gateway.url, readyMs: performance.now(), loadedMs } satisfies GatewayReady, {
  processorMs,
  memory: (): Memory => {
    for (let i = 0; i < 3; i += 1) globalThis.gc?.();
    const { rss, heapUsed, external } = process.memoryUsage();
    const ofDocuments = ownChildren().reduce((sum, child) => sum + child.rssBytes, 0);
    return { rss: rss + ofDocuments, heapUsed, external };
  },
  documentsPeakBytes: () => Math.max(0, ...ownChildren().map(({ peakRssBytes }) => peakRssBytes)),
  advance: (ms: number) => {
    ahead += ms;
  },
  stop: () => gateway.stop(),
});

/** Lines are made as always; only what went wrong is shown. */
function logLine(line: string): void {
  if (isQuiet !== true && /"level":"(?:warn|error|fatal)"/.test(line)) process.stderr.write(line);
}
