import { listAll } from './collect-evidence.ts';
import type { TrialPrinter } from './trial-printer.ts';
import type { World } from './world.ts';

/** Printout as the gateway lists it. */
interface ListedPrintout {
  readonly id: string;
  readonly fax_id: string;
  readonly rule: { readonly name: string };
  readonly state: string;
  readonly sentence: string | null;
  readonly version: number;
}

interface Question {
  readonly printout: ListedPrintout;
  /** True when the paper is in the tray. */
  readonly isPrinted: boolean;
}

export interface PrintJudgement {
  readonly questions: readonly Question[];
  /** One sentence each. */
  readonly violations: readonly string[];
  /** One line for each printer. */
  readonly notes: readonly string[];
}

interface ReceivedFax {
  readonly id: string;
  readonly provider_fax_id: string;
}

export function listPrintouts(world: World, states = ''): Promise<ListedPrintout[]> {
  return listAll(world, states === '' ? '/printouts' : `/printouts?state=${states}`);
}

/** Compares what the gateway lists with what came out of the printers: one printout of each fax by each rule, and no paper twice. */
export async function judgePrintouts(
  world: World,
  printers: readonly TrialPrinter[],
): Promise<PrintJudgement> {
  const received = await listAll<ReceivedFax>(world, '/inbound/page');
  const printouts = await listPrintouts(world);
  const digestOf = new Map(world.incoming.map(({ id, sha256 }) => [id, sha256]));
  const all = printers.map((printer) => {
    const own = new Map<string, ListedPrintout[]>();
    for (const printout of printouts.filter(({ rule }) => rule.name === printer.name))
      own.set(printout.fax_id, [...(own.get(printout.fax_id) ?? []), printout]);
    const faxes = received.map(({ id, provider_fax_id }) => ({
      id: provider_fax_id,
      printouts: own.get(id) ?? [],
      times: printer.timesPrinted(digestOf.get(provider_fax_id) ?? ''),
    }));
    return judgePrinter(printer.name, faxes);
  });
  return {
    questions: all.flatMap(({ questions }) => questions),
    violations: all.flatMap(({ violations }) => violations),
    notes: all.flatMap(({ notes }) => notes),
  };
}

interface PrintedFax {
  readonly id: string;
  readonly printouts: readonly ListedPrintout[];
  /** Number of times that it came out of the printer. */
  readonly times: number;
}

const CLAIMED = ['printed', 'given'];

function judgePrinter(name: string, faxes: readonly PrintedFax[]): PrintJudgement {
  const questions: Question[] = [];
  const violations: string[] = [];
  const counts = { once: 0, twice: 0, lost: 0 };
  for (const { id, printouts, times } of faxes) {
    const [printout, second] = printouts;
    const where = `the received fax ${id} at the printer ${name}`;
    if (second) violations.push(`${where} has ${printouts.length} printouts`);
    if (times > 1) violations.push(`${where} was printed ${times} times: twice`);
    if (printout?.state === 'doubtful') {
      questions.push({ printout, isPrinted: times > 0 });
      if (!printout.sentence) violations.push(`${where} is a question without a sentence`);
    } else if (!printout || !CLAIMED.includes(printout.state))
      violations.push(`${where} is ${printout?.state ?? 'nowhere'}, and was printed ${times} times`);
    else if (times === 0) violations.push(`${where} is told as ${printout.state}, and was not: lost`);
    if (times > 1) counts.twice += 1;
    else if (times === 0 && printout?.state !== 'doubtful') counts.lost += 1;
    else if (printout?.state !== 'doubtful') counts.once += 1;
  }
  const isThere = questions.filter(({ isPrinted }) => isPrinted).length;
  const asked = `questions ${questions.length} (of which ${isThere} were printed)`;
  const note = `printer ${name}: printed once ${counts.once}, ${asked}, twice ${counts.twice}, lost ${counts.lost}`;
  return { questions, violations, notes: [note] };
}
