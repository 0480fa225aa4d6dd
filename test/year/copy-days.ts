import { copyFile, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { SEALED_COLUMNS } from '../../server/db/sealed-columns.ts';
import { endContext } from '../../server/features/work/history.ts';
import { digestOfEntry, digestOfItem } from '../../server/features/work/store/history-digest.ts';
import { listKey } from '../../server/features/work/store/list-key.ts';
import type { HistoryRow, ItemRow } from '../../server/features/work/types.ts';
import { CHAIN_BEGINNING } from '../../server/platform/chain-digest.ts';
import { sha256Hex } from '../../server/platform/hash.ts';
import { createSeal, type Seal } from '../../server/platform/seal.ts';
import { DAY_MS } from './world.ts';

type Row = Record<string, string | number | null>;

/** Day to copy, the days to move it by, and the beginning of the first day in epoch ms. */
interface CopiedDay {
  readonly source: number;
  readonly by: number;
  readonly beganAt: number;
}

/** Tables whose rows belong to the faxes of a day, with the query of their rows between two times. */
const OF_DAY: Readonly<Record<string, string>> = {
  fax_job: 'select * from fax_job where created_at >= ? and created_at < ?',
  fax_attempt: ofJobs('fax_attempt'),
  fax_history: ofJobs('fax_history'),
  fax_link: ofJobs('fax_link'),
  fax_unseen_failure: ofJobs('fax_unseen_failure'),
  attempt_cost: ofJobs('attempt_cost'),
  inbound_fax: 'select * from inbound_fax where received_at >= ? and received_at < ?',
  inbound_evidence: ofReceived('inbound_evidence', 'fax_id'),
  work_item: ofReceived('work_item', 'inbound_fax_id'),
};
const HISTORY_OF_ITEM = 'select * from work_history where item_id = ? order by position';
/** Sums by day, which are copied as they are. */
const SUMS = ['cost_sum', 'cost_total'];

function ofJobs(table: string): string {
  return `select r.* from fax_job j join ${table} r on r.job_id = j.id where j.created_at >= ? and j.created_at < ?`;
}

function ofReceived(table: string, column: string): string {
  return `select r.* from inbound_fax i join ${table} r on r.${column} = i.id where i.received_at >= ? and i.received_at < ?`;
}

/** Opens the store of a stopped gateway for copies of its days. */
export async function openCopies(dataFolder: string): Promise<Copies> {
  const key = Buffer.from((await readFile(join(dataFolder, 'data.key'), 'utf8')).trim(), 'base64');
  const database = new Database(join(dataFolder, 'faxdesk.sqlite'));
  // A power failure in the middle of a trial means a new one.
  database.pragma('synchronous = OFF');
  return new Copies(dataFolder, database, createSeal(key));
}

/**
 * Copies days of an office that ended before: each record gets the ids, times and numbers of the provider that it would have
 * had on its new day, each document a file of its own, sealed texts are sealed anew, and histories chained anew.
 */
class Copies {
  readonly #dataFolder: string;
  readonly #database: Database.Database;
  readonly #seal: Seal;
  readonly #inserts = new Map<string, Database.Statement>();
  constructor(dataFolder: string, database: Database.Database, seal: Seal) {
    this.#dataFolder = dataFolder;
    this.#database = database;
    this.#seal = seal;
  }

  close(): void {
    this.#database.pragma('wal_checkpoint(TRUNCATE)');
    this.#database.close();
  }

  /** Copies one day. A day that was copied before an interruption is left as it is. Returns the number of work items done. */
  async copy({ source, by, beganAt }: CopiedDay): Promise<number> {
    const begin = beganAt + source * DAY_MS;
    const times = [begin, begin + DAY_MS].map((ms) => new Date(ms).toISOString()) as [string, string];
    const move = mover(by);
    const rows = Object.entries(OF_DAY).map(
      ([table, query]) => [table, this.#database.prepare(query).all(...times) as Row[]] as const,
    );
    const rowsOf = (wanted: string) => rows.find(([table]) => table === wanted)?.[1] ?? [];
    const jobs = rowsOf('fax_job');
    const done = rowsOf('work_item').filter((row) => row['done_at'] !== null).length;
    const first = jobs[0];
    if (first === undefined) throw new Error(`Day ${source} has no faxes.`);
    const there = this.#database.prepare('select 1 from fax_job where id = ?').get(move(String(first['id'])));
    if (there !== undefined) return done;
    for (const [table, some] of rows)
      for (const row of some)
        await this.#copyDocument(table === 'fax_job' ? row['artifact'] : row['document'], move);
    this.#database.transaction(() => {
      for (const [table, some] of rows) {
        for (const row of some) {
          const copied = this.#moved(table, row, move, by);
          if (table === 'work_item') this.#addItem(String(row['id']), copied, move);
          else this.#insert(table, copied);
        }
      }
      this.#addSums(times[0].slice(0, 10), move);
      for (const job of jobs) this.#useNumber(job, move);
    })();
    return done;
  }

  async #copyDocument(name: Row[string] | undefined, move: (text: string) => string): Promise<void> {
    if (typeof name !== 'string') return;
    const path = (of: string) => join(this.#dataFolder, 'files', of);
    if (dirname(name) === '.') throw new Error(`${name} is not the name of a document`);
    await copyFile(path(name), path(move(name)));
  }

  /** The row on its new day. Numbers of the provider grow with its clock, as they do from day to day. */
  #moved(table: string, row: Row, move: (text: string) => string, days: number): Row {
    const moved: Row = {};
    const grown = (number: string) => String(Number(number) + (days * DAY_MS) / 1000);
    for (const [column, value] of Object.entries(row)) {
      const sealed =
        typeof value === 'string' && value.startsWith('v1.')
          ? SEALED_COLUMNS.find((each) => each.table === table && each.column === column)
          : undefined;
      if (typeof value !== 'string') moved[column] = value;
      else if (sealed === undefined) moved[column] = move(value);
      else if (table !== 'work_item')
        moved[column] = this.#seal.seal(
          move(this.#seal.open(value, sealed.context(row))),
          move(sealed.context(row)),
        );
    }
    if (table === 'fax_link') moved['token_hash'] = sha256Hex(`${row['token_hash']} ${days}`);
    for (const column of ['provider_sid', 'provider_fax_id'])
      if (typeof row[column] === 'string') moved[column] = grown(row[column]);
    // Stays the item of the first day, which is not copied.
    if (table === 'work_item') moved['duplicate_of'] = row['duplicate_of'] ?? null;
    if (table === 'inbound_fax')
      moved['search_text'] = String(row['search_text']).replace(/\d+$/u, (number) => grown(number));
    return moved;
  }

  #addItem(id: string, copied: Row, move: (text: string) => string): void {
    const item = copied as unknown as ItemRow;
    const history = this.#database.prepare(HISTORY_OF_ITEM).all(id) as Row[];
    const row: ItemRow = { ...item, list_key: listKey(item) };
    let previous = CHAIN_BEGINNING;
    const entries: Row[] = [];
    for (const [index, entry] of history.entries()) {
      const moved = Object.fromEntries(
        Object.entries(entry).map(([column, value]) => [
          column,
          typeof value === 'string' ? move(value) : value,
        ]),
      );
      const chained = { ...moved, previous } as unknown as HistoryRow;
      const last = index === history.length - 1 ? { ...chained, item_digest: digestOfItem(row) } : chained;
      previous = digestOfEntry(last);
      entries.push({ ...last, digest: previous });
    }
    const end = this.#seal.seal(JSON.stringify([entries.length, previous]), endContext(row.id));
    this.#insert('work_item', { ...row, history_digest: previous, history_end: end });
    for (const entry of entries) this.#insert('work_history', entry);
  }

  #addSums(day: string, move: (text: string) => string): void {
    for (const table of SUMS) {
      for (const row of this.#database.prepare(`select * from ${table} where day = ?`).all(day) as Row[])
        this.#insert(table, { ...row, day: move(day) });
    }
    this.#statement(
      `insert into cost_number (month, to_number, currency, amount, attempts)
       select substr(?, 1, 7), to_number, coalesce(charged_currency, ''), cast(round(coalesce(charged, 0) * 1000000) as integer), 1
       from attempt_cost where day = ?
       on conflict (month, to_number, currency) do update
       set amount = amount + excluded.amount, attempts = attempts + excluded.attempts`,
    ).run(move(day), day);
  }

  #useNumber(job: Row, move: (text: string) => string): void {
    const at = move(String(job['created_at']));
    this.#statement(
      `update fax_number set uses = uses + 1, last_used_at = max(last_used_at, @at),
       last_success_at = case when @state = 'success' then max(coalesce(last_success_at, ''), @at) else last_success_at end
       where to_number = @to`,
    ).run({ at, state: job['delivery_state'], to: job['to_number'] });
  }

  #insert(table: string, row: Row): void {
    const columns = Object.keys(row);
    this.#statement(`insert into ${table} (${columns.join()}) values (${columns.map(() => '?').join()})`).run(
      ...Object.values(row),
    );
  }

  #statement(sql: string): Database.Statement {
    const known = this.#inserts.get(sql) ?? this.#database.prepare(sql);
    this.#inserts.set(sql, known);
    return known;
  }
}

const IDS = /[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[\da-f]{4}-[\da-f]{12}/gu;
const TIMES = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/gu;
const DAY = /^\d{4}-\d\d-\d\d$/u;

/** Returns the function that moves every time, day and time-ordered id in a text by so many days. */
function mover(days: number): (text: string) => string {
  const ms = days * DAY_MS;
  const moveTime = (time: string) => new Date(Date.parse(time) + ms).toISOString();
  const moveId = (id: string) => {
    const made = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
    const moved = (made + ms).toString(16).padStart(12, '0');
    return `${moved.slice(0, 8)}-${moved.slice(8)}${id.slice(13)}`;
  };
  return (text) =>
    DAY.test(text)
      ? moveTime(`${text}T00:00:00.000Z`).slice(0, 10)
      : text.replace(IDS, moveId).replace(TIMES, moveTime);
}
