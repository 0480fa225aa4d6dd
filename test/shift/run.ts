import { parseArgs } from 'node:util';
import { openBrowser } from '../setup/browser.ts';
import { playShift } from './play.ts';

// `npm run shift -- [--minutes 60] [--seed 1]`: four people at four windows of one gateway while faxes come in and go out.
// One window goes from person to person, and one loses its network twice. Fails when a window shows something other than
// the gateway has, or something that its person must not see, when a fax is missing, or when memory grows.
const { values } = parseArgs({
  options: { minutes: { type: 'string', default: '60' }, seed: { type: 'string', default: '1' } },
});
const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
if (!(minutes > 0) || !Number.isSafeInteger(seed)) throw new Error('--minutes and --seed are numbers');

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
const missing = (reason?: string): never => {
  throw new Error(reason);
};
const browser = await openBrowser({ skip: missing }, { isLasting: true });
try {
  const { lines, complaints } = await playShift(browser, { minutes, seed });
  for (const line of lines) console.log(line);
  for (const complaint of complaints.slice(0, 40)) console.log(`  ${complaint}`);
  console.log(`${complaints.length} complaints`);
  process.exitCode = complaints.length === 0 ? 0 : 1;
} finally {
  await browser.close();
}
process.exit();
