import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { sha256Hex } from '../../../server/platform/hash.ts';
import type { Random } from '../../fuzz/random.ts';
import { SECOND } from '../../setup/manual-clock.ts';
import { type Episode, type EpisodeContext, type Outcome, openWorld } from '../episode.ts';
import type { DiskControl } from '../shim/control.ts';
import { pagePdf } from '../world/client.ts';
import {
  diskFaultsUnavailable,
  installDiskFaults,
  removeDiskFaults,
  simulatePowerFailure,
} from '../world/disk.ts';
import { NO_VIOLATIONS } from '../world/judge.ts';
import { runInBackground } from '../world/run-in-background.ts';
import type { World } from '../world/world.ts';

/** Operations, and of how many other systems requests are under way at once. */
const SIZES = { small: { operations: 200, senders: 4 }, large: { operations: 400, senders: 12 } };
/** `ENDURE_IMPORTS=10000 npm run endure -- --only imports` hands over so many. */
const OPERATION_COUNT = Number(process.env['ENDURE_IMPORTS'] ?? 0);
/** Of a hundred operations, so many come by the import folder. */
const FOLDER_PERCENT = 20;
const SCAN_INTERVAL_MS = 10 * SECOND;
const RETRY_DELAY_MS = 100;
const MIN_KILLS = 3;

/** Documents of other systems come by API and folder, some more than once and some in two versions, while the gateway is killed and the power fails. */
export const imports: Episode = {
  name: 'imports',
  summary:
    'documents that other systems hand over once, again and in other versions, through kills and power failures',
  stores: ['sqlite', 'postgres'],
  unavailable: () => null,
  async run(context) {
    const world = await openWorld(context, { environment: { IMPORT_FOLDER: 'import' } });
    const trial = new Trial(world, context);
    try {
      await trial.run();
    } catch (error) {
      world.complaints.push(`the episode broke: ${error instanceof Error ? error.stack : String(error)}`);
    } finally {
      await world.close();
    }
    return trial.outcome();
  },
};

/** One document of another system, and what it was answered. */
interface Operation {
  readonly name: string;
  /** Its document, and in some cases another one that comes under the same name. */
  readonly documents: readonly Buffer[];
  readonly byFolder: boolean;
  readonly hasManifest: boolean;
  /** Fingerprints that were taken, and those that were refused. */
  readonly taken: Set<string>;
  readonly refused: Set<string>;
  readonly faxIds: Set<string>;
}

interface Delivery {
  readonly operation: Operation;
  readonly document: Buffer;
}

class Trial {
  readonly #world: World;
  readonly #operations: readonly Operation[];
  readonly #deliveries: Delivery[];
  readonly #context: EpisodeContext;
  readonly #disk: DiskControl | null;
  #sent = 0;
  #repeated = 0;
  #found = 0;

  constructor(world: World, context: EpisodeContext) {
    this.#world = world;
    this.#context = context;
    this.#disk = diskFaultsUnavailable() === null ? installDiskFaults(world, { keeps: true }) : null;
    const random = context.random('operations');
    const operations = OPERATION_COUNT || SIZES[context.size].operations;
    this.#operations = Array.from({ length: operations }, (_, number) => createOperation(random, number));
    this.#deliveries = shuffled(
      random,
      this.#operations.flatMap((each) => planDeliveries(random, each)),
    );
  }

  outcome(): Outcome {
    const { kills, complaints } = this.#world;
    return {
      kills,
      faults: this.#repeated,
      sent: this.#sent,
      received: this.#found,
      verdict: NO_VIOLATIONS,
      complaints: [...new Set(complaints)],
    };
  }

  async run(): Promise<void> {
    const world = this.#world;
    if (!(await world.start())) throw new Error('the gateway does not start');
    const ended = new AbortController();
    const killing = runInBackground([this.#kill(ended.signal)]);
    const { senders } = SIZES[this.#context.size];
    const byApi = this.#deliveries.filter(({ operation }) => !operation.byFolder);
    const byFolder = this.#deliveries.filter(({ operation }) => operation.byFolder);
    const sending = runInBackground([
      ...Array.from({ length: senders }, () => this.#send(byApi)),
      this.#dropFiles(byFolder),
    ]);
    try {
      await sending();
    } finally {
      ended.abort();
    }
    await killing();
    await this.#endPowerFailures();
    await this.#emptyFolder();
    await this.#judge();
  }

  /** Ends the gateway in the middle of whatever it does until all was sent; where the power fails, what was not flushed may be gone. */
  async #kill(signal: AbortSignal): Promise<void> {
    const random = this.#context.random('kills');
    const world = this.#world;
    while (!signal.aborted || world.kills < MIN_KILLS) {
      await pause(300 + random.int(14_000));
      const isPower = random.chance(30);
      if (!isPower) await world.kill();
      else if (this.#disk) await simulatePowerFailure(world, this.#disk, random);
      else await world.cutPower();
      if (!(await world.start())) throw new Error('the gateway does not start after a kill');
    }
  }

  async #endPowerFailures(): Promise<void> {
    if (!this.#disk) return;
    removeDiskFaults(this.#world, this.#disk);
    this.#disk.close();
    await this.#world.stop();
    if (!(await this.#world.start())) throw new Error('the gateway does not start at the end');
  }

  async #send(left: Delivery[]): Promise<void> {
    for (let next = left.pop(); next; next = left.pop()) await this.#sendOne(next);
  }

  /** As another system does: until it is answered. */
  async #sendOne({ operation, document }: Delivery): Promise<void> {
    this.#sent += 1;
    const sha256 = sha256Hex(document);
    for (;;) {
      await this.#world.waitUntilUp();
      const form = new FormData();
      form.append('manifest', manifestOf(operation));
      form.append('file', new File([new Uint8Array(document)], `${operation.name}.pdf`));
      const answer = await this.#world.request('POST', '/imports', { form });
      if (answer?.status === 200) {
        operation.taken.add(sha256);
        operation.faxIds.add((answer.body as { inbound_id: string }).inbound_id);
        return;
      }
      if (answer?.status === 409) {
        operation.refused.add(sha256);
        return;
      }
      if (answer !== null && answer.status < 500) {
        this.#world.complaints.push(
          `an import was refused with ${answer.status}: ${answer.bytes.toString()}`,
        );
        return;
      }
      this.#repeated += 1;
      await pause(RETRY_DELAY_MS);
    }
  }

  get #folder(): string {
    return join(this.#world.dataFolder, 'import');
  }

  /** As a scanner does: the manifest first, and the PDF under its name only when it is whole. */
  async #dropFiles(left: readonly Delivery[]): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    for (const [number, { operation, document }] of left.entries()) {
      const base = join(this.#folder, `${operation.name} ${number}`);
      if (operation.hasManifest) await writeFile(`${base}.json`, manifestOf(operation));
      await writeFile(`${base}.pdf.part`, document);
      await rename(`${base}.pdf.part`, `${base}.pdf`);
      this.#sent += 1;
      if (number % 25 === 24) await this.#advanceToNextScan();
    }
  }

  async #advanceToNextScan(): Promise<void> {
    this.#world.advance(SCAN_INTERVAL_MS);
    await pause(500);
  }

  /** Everything that was left there is taken or refused in the end. */
  async #emptyFolder(): Promise<void> {
    let names: string[] = [];
    for (let scans = 0; scans < 600; scans += 1) {
      names = await readdir(this.#folder);
      if (!names.some((name) => name.endsWith('.pdf'))) return;
      await this.#advanceToNextScan();
    }
    this.#world.complaints.push(`${names.length} files stay in the import folder`);
  }

  /** Exactly one fax and one work item for each operation, with one of its documents: the one that was never refused. */
  async #judge(): Promise<void> {
    const { complaints } = this.#world;
    const faxes = await this.#listAll<ReceivedFax>('/inbound/page?limit=200');
    const items = await this.#listAll<{ inbound_fax_id: string }>('/work?limit=200');
    this.#found = faxes.length;
    const itemsOf = countBy(items.map(({ inbound_fax_id }) => inbound_fax_id));
    const byName = new Map(faxes.map((fax) => [fax.provider_fax_id, fax] as const));
    const expected = new Set<string>();
    for (const operation of this.#operations) {
      const names = namesOf(operation);
      for (const name of names) expected.add(name);
      for (const name of names) complaints.push(...listProblems(operation, byName.get(name), itemsOf));
    }
    if (faxes.length !== expected.size || byName.size !== expected.size)
      complaints.push(`${expected.size} operations are ${faxes.length} faxes of ${byName.size} names`);
    if (items.length !== expected.size)
      complaints.push(`${expected.size} operations are ${items.length} work items`);
    await this.#judgeFolder();
  }

  /** No file of the folder is gone. */
  async #judgeFolder(): Promise<void> {
    const left = this.#deliveries.filter(({ operation }) => operation.byFolder).length;
    const pdfs = async (name: string) =>
      (await readdir(join(this.#folder, name))).filter((each) => each.endsWith('.pdf')).length;
    const [done, refused] = [await pdfs('done'), await pdfs('refused')];
    if (done + refused !== left)
      this.#world.complaints.push(`of ${left} PDF files, ${done} are in done and ${refused} in refused`);
  }

  async #listAll<T>(path: string): Promise<T[]> {
    const found: T[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const answer = await this.#world.request(
        'GET',
        `${path}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      const page = answer?.body as { items?: T[]; next_cursor: string | null } | undefined;
      if (!page?.items) throw new Error(`${path} was answered ${answer?.status}`);
      found.push(...page.items);
      cursor = page.next_cursor;
    }
    return found;
  }
}

interface ReceivedFax {
  readonly id: string;
  readonly provider_fax_id: string;
  readonly sha256: string;
  readonly status: string;
}

/** Without a manifest each document is an operation of its own. */
function namesOf({ name, documents, hasManifest }: Operation): string[] {
  return hasManifest ? [name] : documents.map((document) => sha256Hex(document));
}

function listProblems(
  { name, documents, taken, refused, faxIds }: Operation,
  fax: ReceivedFax | undefined,
  itemsOf: ReadonlyMap<string, number>,
): string[] {
  if (!fax) return [`the document of ${name} is missing`];
  const isOwn = documents.some((document) => sha256Hex(document) === fax.sha256);
  const isFirst = !refused.has(fax.sha256) && [...taken].every((sha256) => sha256 === fax.sha256);
  const isAnswered = [...faxIds].every((id) => id === fax.id);
  const items = itemsOf.get(fax.id) ?? 0;
  return [
    ...(isOwn && isFirst ? [] : [`the fax of ${name} has another document than was answered`]),
    ...(isAnswered ? [] : [`the import of ${name} was answered with other faxes`]),
    ...(items === 1 ? [] : [`the fax of ${name} has ${items} work items`]),
    ...(fax.status === 'received' ? [] : [`the fax of ${name} is ${fax.status}`]),
  ];
}

function createOperation(random: Random, number: number): Operation {
  const name = `op-${number}`;
  const versions = random.chance(12) ? 2 : 1;
  const byFolder = random.chance(FOLDER_PERCENT);
  return {
    name,
    documents: Array.from({ length: versions }, (_, version) => pagePdf(`${name} ${version}`)),
    byFolder,
    hasManifest: !byFolder || random.chance(50),
    taken: new Set(),
    refused: new Set(),
    faxIds: new Set(),
  };
}

/** Each document once or more. */
function planDeliveries(random: Random, operation: Operation): Delivery[] {
  return operation.documents.flatMap((document) =>
    Array.from({ length: random.chance(30) ? 2 + random.int(2) : 1 }, () => ({ operation, document })),
  );
}

const manifestOf = ({ name }: Operation) =>
  JSON.stringify({ source_system: 'Another system', operation_id: name });

function shuffled<T>(random: Random, items: T[]): T[] {
  for (let i = items.length - 1; i > 0; i -= 1) {
    const j = random.int(i + 1);
    [items[i], items[j]] = [items[j] as T, items[i] as T];
  }
  return items;
}

function countBy(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}
