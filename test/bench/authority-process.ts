import { compareWithRule } from '../setup/authority/compare.ts';

// `node authority-process.ts <seed> <requests>`: prints what was found as JSON, up to the first difference.
const [seed, requests] = process.argv.slice(2).map(Number);
process.stdout.write(JSON.stringify(await compareWithRule(seed ?? 1, requests ?? 1_000)));
