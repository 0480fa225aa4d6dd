import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fuzzBackups } from './backups.ts';
import { pdfSubject, textSubject, tiffSubject } from './documents.ts';
import { fuzz } from './fuzz.ts';
import { printerSubject } from './printer.ts';
import { callbacksSubject, multipartSubject, publicSubject } from './requests.ts';
import { routesSubject } from './routes.ts';
import { settingsSubject } from './settings.ts';
import type { FuzzRequest, FuzzSubject } from './subject.ts';
import { contactsSubject } from './uploads.ts';

// `npm run fuzz -- [subject] [minutes] [seed]`: random input of one kind. It fails when a request hangs or is answered 500,
// when memory, descriptors or files of work are left, or when a broken backup is not refused by a sentence.
const SUBJECTS: Readonly<Record<string, () => FuzzSubject | Promise<FuzzSubject>>> = {
  requests: publicSubject,
  multipart: multipartSubject,
  callbacks: callbacksSubject,
  routes: routesSubject,
  pdf: pdfSubject,
  tiff: tiffSubject,
  text: textSubject,
  contacts: contactsSubject,
  settings: settingsSubject,
  printer: printerSubject,
};
/** As the test of the public routes allows. */
const MOST_GROWTH_MB = 32;

const words = process.argv.slice(2);
const named = words[0] !== undefined && Number.isNaN(Number(words[0])) ? words.shift() : undefined;
const subject = named ?? 'requests';
const [minutes = 10, seed = 1] = words.map(Number);
const began = performance.now();
let summary = began;
const shouldContinue = (done: number): boolean => {
  const now = performance.now();
  if (now - summary > 60_000) {
    summary = now;
    console.error(`${subject}: ${done}`);
  }
  return now - began < minutes * 60_000;
};
const isClean = subject === 'backups' ? await tryBackups() : await tryRequests();
process.exit(isClean ? 0 : 1);

async function tryBackups(): Promise<boolean> {
  const { backups, outcomes, findings, before, after } = await fuzzBackups(seed, shouldContinue);
  console.log(`${backups} backups with seed ${seed} in ${seconds()} s`);
  console.log(outcomes);
  console.log('held before', before, 'after', after);
  console.log(`${findings.length} findings`, findings.slice(0, 20));
  const isBack =
    after.usedMb < before.usedMb + MOST_GROWTH_MB &&
    (after.descriptors ?? 0) <= (before.descriptors ?? 0) + 2;
  return findings.length === 0 && isBack;
}

async function tryRequests(): Promise<boolean> {
  const create = SUBJECTS[subject];
  if (create === undefined) {
    console.error(`There is no ${subject}; there are ${Object.keys(SUBJECTS).join(', ')}, backups.`);
    return false;
  }
  const result = await fuzz(await create(), seed, shouldContinue);
  const { requests, statuses, sentences, hung, failed, before, after } = result;
  console.log(`${subject}: ${requests} requests with seed ${seed} in ${seconds()} s`);
  console.log('answers', statuses);
  console.log('refusals', sentences);
  console.log('held before', before, 'after', after);
  await report('hung', hung);
  await report('answered 500', failed);
  const isBack =
    after.workFiles <= before.workFiles &&
    (after.descriptors ?? 0) <= (before.descriptors ?? 0) &&
    after.usedMb < before.usedMb + MOST_GROWTH_MB;
  return hung.length === 0 && failed.length === 0 && isBack;
}

/** Prints the requests of a finding, and keeps their first 20 as files. */
async function report(finding: string, requests: readonly FuzzRequest[]): Promise<void> {
  console.log(`${requests.length} ${finding}`);
  if (requests.length === 0) return;
  const folder = await mkdtemp(join(tmpdir(), 'faxdesk-fuzz-requests-'));
  for (const [index, { name, bytes }] of requests.slice(0, 20).entries()) {
    const file = join(folder, `${index}.http`);
    await writeFile(file, bytes);
    console.log(name, file);
  }
}

function seconds(): number {
  return Math.round((performance.now() - began) / 1000);
}
