import { setTimeout as pause } from 'node:timers/promises';
import { MINUTE } from '../../setup/manual-clock.ts';
import { type Episode, type EpisodeContext, openWorld, runAndJudge } from '../episode.ts';
import { judgePrintouts, listPrintouts, type PrintJudgement } from '../world/print-judge.ts';
import { receiveFax } from '../world/provider-side.ts';
import { runInBackground } from '../world/run-in-background.ts';
import { settleWorld } from '../world/settle-world.ts';
import { TrialPrinter } from '../world/trial-printer.ts';
import type { World } from '../world/world.ts';

const SIZES = { small: { faxes: 30, kills: 2 }, large: { faxes: 1_000, kills: 10 } };
/** Jobs that wait for a printer when no more faxes arrive. */
const MAX_WAITING = 25;
const LOOK_MS = 20;
const MAX_AFTER_MS = 600;
const SETTLE_STEPS = 12;
const STEP_MS = 1_500;

/** Every received fax is printed at two printers, while the gateway is killed. */
export const printing: Episode = {
  name: 'printing',
  summary:
    '1,000 received faxes printed by two rules, at printers with and without a job history, through kills',
  stores: ['sqlite', 'postgres'],
  unavailable: () => null,
  run: async (context) =>
    runAndJudge(await openWorld(context, { isReachable: true, backend: 'cloudone' }), (world) =>
      runPrinting(world, context),
    ),
};

/** `faults` counts printouts that were a question. */
async function runPrinting(
  world: World,
  context: EpisodeContext,
): Promise<{ faults: number; notes: readonly string[] }> {
  if (!(await world.start())) throw new Error('the gateway does not start');
  const printers: TrialPrinter[] = [];
  try {
    for (const [name, keepsHistory] of [
      ['with history', true],
      ['without history', false],
    ] as const)
      printers.push(await openPrinter(world, { name, keepsHistory, context }));
    await printThroughKills(world, printers, context);
    await settleWorld(world);
    await settlePrinters(world, printers);
    const judgement = await judgePrintouts(world, printers);
    await answerQuestions(world, judgement);
    await settlePrinters(world, printers);
    const afterwards = await judgePrintouts(world, printers);
    const left = afterwards.questions.length;
    if (left > 0) world.complaints.push(`${left} printouts are still questions after each was answered`);
    world.complaints.push(...new Set([...judgement.violations, ...afterwards.violations]));
    return { faults: judgement.questions.length, notes: judgement.notes };
  } finally {
    for (const printer of printers) await printer.close();
  }
}

async function openPrinter(
  world: World,
  { name, keepsHistory, context }: { name: string; keepsHistory: boolean; context: EpisodeContext },
): Promise<TrialPrinter> {
  const random = context.random('printer', name);
  const printer = await TrialPrinter.open(world, { name, keepsHistory, random });
  const json = { name, printer: name, printer_url: printer.emulator.url };
  const answer = await world.request('POST', '/print-rules', { json });
  if (answer?.status !== 201) throw new Error(`the rule was answered ${answer?.status}`);
  return printer;
}

/** Faxes arrive as fast as they are printed. */
async function printThroughKills(
  world: World,
  printers: readonly TrialPrinter[],
  context: EpisodeContext,
): Promise<void> {
  const { faxes, kills } = SIZES[context.size];
  const ended = new AbortController();
  const running = runInBackground(
    printers.map((printer) => printer.run(context.random('pace', printer.name), ended.signal)),
  );
  const killing = runInBackground([killAtMoments(world, context, { faxes, kills })]);
  try {
    const vendor = world.vendor('cloudone');
    for (let number = 1; number <= faxes; number += 1) {
      await waitForPrinters(world, printers);
      await world.waitUntilUp();
      await receiveFax(world, vendor, { number, isForged: false, isBare: false });
      await notifyAgain(world);
    }
    await killing();
  } finally {
    ended.abort();
  }
  await running();
}

/** Waits while printers have that many jobs to print, or the gateway as many to hand over. */
async function waitForPrinters(world: World, printers: readonly TrialPrinter[]): Promise<void> {
  for (;;) {
    const atPrinters = Math.max(...printers.map(({ openCount }) => openCount));
    if (atPrinters < MAX_WAITING && (await countUnsubmitted(world)) < MAX_WAITING) return;
    await pause(LOOK_MS);
  }
}

/** Returns the number of printouts that no printer has; none while the gateway does not answer. */
async function countUnsubmitted(world: World): Promise<number> {
  const answer = await world.request('GET', '/printouts?limit=1', { timeoutMs: 2_000 });
  const { counts } = (answer?.body ?? {}) as { counts?: { waiting: number; submitting: number } };
  return counts === undefined ? 0 : counts.waiting + counts.submitting;
}

/** Repeats each notification until it is acknowledged, as a provider does. */
async function notifyAgain(world: World): Promise<void> {
  for (const fax of world.incoming.filter(({ isAcknowledged }) => !isAcknowledged)) {
    await world.waitUntilUp();
    fax.isAcknowledged = await world.vendor('cloudone').notify(fax.id, world.address, {});
  }
}

/** Kills the gateway in each part of the trial: after a random number of faxes, and a random time. */
async function killAtMoments(
  world: World,
  context: EpisodeContext,
  { faxes, kills }: { faxes: number; kills: number },
): Promise<void> {
  for (let number = 0; number < kills; number += 1) {
    const random = context.random('kill', number);
    const after = Math.floor(((number + random.int(100) / 100) * faxes) / kills);
    while (world.incoming.length < Math.max(1, after)) await pause(LOOK_MS);
    await pause(random.int(MAX_AFTER_MS));
    await world.kill();
    if (!(await world.start())) throw new Error('the gateway does not start after a kill');
  }
}

/** Time goes on until nothing waits for a printer; what a lost connection left is searched for after a minute. */
async function settlePrinters(world: World, printers: readonly TrialPrinter[]): Promise<void> {
  for (let step = 0; step < SETTLE_STEPS; step += 1) {
    for (const printer of printers) printer.finish();
    await pause(STEP_MS);
    const open = await listPrintouts(world, 'waiting,submitting,accepted');
    if (open.length === 0) return;
    world.advance(MINUTE);
  }
}

/** A person looks into the tray of the printer, and answers. */
async function answerQuestions(world: World, { questions }: PrintJudgement): Promise<void> {
  for (const { printout, isPrinted } of questions) {
    const json = { outcome: isPrinted ? 'printed' : 'print_again', version: printout.version };
    const answer = await world.request('POST', `/printouts/${printout.id}/confirm`, { json });
    if (answer?.status !== 200)
      world.complaints.push(`a question was answered ${answer?.status}: ${answer?.bytes.toString('utf8')}`);
  }
}
