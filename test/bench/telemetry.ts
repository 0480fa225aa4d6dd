import { startCollector } from '../setup/collector.ts';
import { startTestGateway, type TestGateway } from '../setup/gateway.ts';
import { type Figure, measureInTurns, median, ratioOf } from './figure.ts';

const FAXES = 20;
const ROUNDS = 9;

/** Compares accepting faxes with and without traces for a collector, which works in the same process. */
export async function run(): Promise<Figure[]> {
  const collector = await startCollector();
  const off = await startTestGateway({ settings: LIMITS });
  const on = await startTestGateway({
    settings: { ...LIMITS, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
  });
  try {
    const sides = [() => accept(on), () => accept(off)];
    await measureInTurns(2, sides);
    const [traced = [], plain = []] = await measureInTurns(ROUNDS, sides);
    return [
      {
        name: 'faxes accepted while traces are sent',
        ratio: ratioOf(traced, plain),
        bar: 1.3,
        atMost: true,
        unit: 'of the time without',
        detail: `${median(traced).toFixed(2)} ms a fax, ${median(plain).toFixed(2)} ms without`,
      },
    ];
  } finally {
    await on.close();
    await off.close();
    await collector.close();
  }
}

const LIMITS = { MAX_REQUESTS_PER_MINUTE: '0' };

/** Returns the time for one fax in ms. */
async function accept(gateway: TestGateway): Promise<number> {
  const began = performance.now();
  for (let n = 0; n < FAXES; n += 1) await gateway.send();
  return (performance.now() - began) / FAXES;
}
