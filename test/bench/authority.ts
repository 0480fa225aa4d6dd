import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Comparison, compareWithRule } from '../setup/authority/compare.ts';
import { FAULTS, type Fault } from '../setup/authority/faults.ts';
import type { Figure } from './figure.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const REQUESTS = 100_000;
const REQUESTS_A_FAULT = 20_000;
/** A gateway is made anew after so many, since each world stays in its store. */
const REQUESTS_A_GATEWAY = 10_000;

/** Random requests about random worlds, asked of the gateway and of the rule; and the same of gateways with a fault. */
export async function run(): Promise<Figure[]> {
  const figures = [await compare()];
  for (const fault of FAULTS) figures.push(await seed(fault));
  return figures;
}

async function compare(): Promise<Figure> {
  const begun = performance.now();
  const all = { worlds: 0, requests: 0, done: 0, differences: 0 };
  while (all.requests < REQUESTS) {
    const found = await compareWithRule(1 + all.worlds, REQUESTS_A_GATEWAY, { stopAtFirst: false });
    for (const difference of found.differences) console.error(difference);
    all.worlds += found.worlds;
    all.requests += found.requests;
    all.done += found.done;
    all.differences += found.differences.length;
  }
  const seconds = Math.round((performance.now() - begun) / 1000);
  const detail = `${all.requests} requests, ${all.done} allowed, ${all.worlds} worlds, ${seconds} s`;
  const unit = 'differences from the rule';
  return { name: 'the rule of authority', ratio: all.differences, bar: 0, atMost: true, unit, detail };
}

async function seed(fault: Fault): Promise<Figure> {
  const folder = await mkdtemp(join(tmpdir(), 'faxdesk-fault-'));
  try {
    for (const part of ['server', 'shared', 'resources', 'test', 'package.json'])
      await cp(join(ROOT, part), join(folder, part), { recursive: true });
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    const file = join(folder, fault.file);
    const source = await readFile(file, 'utf8');
    if (!source.includes(fault.text)) throw new Error(`${fault.file} no longer says ${fault.text}`);
    await writeFile(file, source.replace(fault.text, fault.instead));
    const process = join(folder, 'test/bench/authority-process.ts');
    const found = await promisify(execFile)(globalThis.process.execPath, [
      process,
      '1',
      String(REQUESTS_A_FAULT),
    ]);
    const { differences, requests } = JSON.parse(found.stdout) as Comparison;
    const detail = `after ${requests} requests`;
    return { name: `fault: ${fault.name}`, ratio: differences.length, bar: 1, unit: 'found', detail };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
