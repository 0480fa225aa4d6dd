import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createDocuments, type Documents } from '../../server/documents/documents.ts';
import { unlessMissing } from '../fixtures/referees.ts';
import { processorMs } from './child.ts';
import { type BenchInputs, makeInputs } from './documents-inputs.ts';
import { ownChildren } from './own-children.ts';

/** One figure: `ratio` must not be below `bar`. */
interface Figure {
  name: string;
  ratio: number;
  bar: number;
  unit: string;
  detail: string;
}

const plain = { headerLine: null, cleanGreys: false } as const;

/** Processor seconds of a child process, user and system. */
function childSeconds(command: string[]): number {
  const quoted = command.map((part) => `'${part}'`).join(' ');
  const { stdout, status } = spawnSync('sh', ['-c', `${quoted} >/dev/null 2>&1 || exit 1; times`], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`failed: ${quoted}`);
  const children = stdout.trim().split('\n')[1]!;
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, match) => sum + Number(match[1]) * 60 + Number(match[2]),
    0,
  );
}

/** Processor seconds of this process and of that of documents while `work` runs. */
async function ownSeconds(work: () => Promise<unknown>): Promise<number> {
  const before = processorMs();
  await work();
  return (processorMs() - before) / 1000;
}

const RUNS = 4;

/** The best of some runs: other programs on the machine only ever add. */
async function best(measure: () => Promise<number>): Promise<number> {
  const figures: number[] = [];
  for (let run = 0; run < RUNS; run += 1) figures.push(await measure());
  return Math.min(...figures);
}

function figure(name: string, ratio: number, bar: number, unit: string, detail: string): Figure {
  return { name, ratio: Number(ratio.toFixed(2)), bar, unit, detail };
}

async function rasterFigure(
  documents: Documents,
  folder: string,
  name: string,
  pdf: string,
  bar: number,
): Promise<Figure> {
  const output = join(folder, 'raster.tif');
  const tiff = join(folder, 'gs.tif');
  const flags = '-q -dNOPAUSE -dBATCH -dSAFER -sDEVICE=tiffg4 -r204x196 -g1728x2286 -dPDFFitPage'.split(' ');
  const theirs = await best(async () => childSeconds(['gs', ...flags, `-sOutputFile=${tiff}`, pdf]));
  const options = { ...plain, resolution: 'fine' } as const;
  const ours = await best(
    async () => await ownSeconds(async () => await documents.rasterToTiff(pdf, output, options)),
  );
  const detail = `${ours.toFixed(2)} s of processor time, ghostscript ${theirs.toFixed(2)} s`;
  return figure(`raster of ${name}`, theirs / ours, bar, 'of ghostscript', detail);
}

async function tiffFigures(documents: Documents, folder: string, inputs: BenchInputs): Promise<Figure[]> {
  const prepare = (path: string) => async (): Promise<number> =>
    await ownSeconds(async () => {
      const source = { path, fileName: 'fax.tif', declaredType: null };
      await documents.prepare([source], join(folder, 'tiff.pdf'), { maxBytes: 1e9 });
    });
  const t6 = await best(prepare(inputs.t6Tiff));
  const t4 = await best(prepare(inputs.t4Tiff));
  const theirs = await best(async () =>
    childSeconds(['tiff2pdf', '-o', join(folder, 'theirs.pdf'), inputs.t4Tiff]),
  );
  return [
    figure(
      'T.6 TIFF to PDF',
      100 / t6,
      100,
      'pages/s',
      `${t6.toFixed(2)} s for 100 pages, every one checked`,
    ),
    figure(
      'T.4 TIFF to PDF',
      theirs / t4,
      0.5,
      'of tiff2pdf',
      `${t4.toFixed(2)} s for 100 pages, tiff2pdf ${theirs.toFixed(2)} s`,
    ),
  ];
}

/** Milliseconds from the call to the first page of a preview of 200 pages on a warm pool. */
async function firstPage(documents: Documents, folder: string, pdf: string): Promise<Figure> {
  const milliseconds = await best(async () => {
    const abort = new AbortController();
    const start = performance.now();
    let first = 0;
    const onPage = (): void => {
      first = performance.now() - start;
      abort.abort();
    };
    await documents.preview(pdf, folder, { ...plain, signal: abort.signal, onPage }).catch(() => {});
    await documents.inspectPdf(pdf);
    return first;
  });
  return figure(
    'first page of a preview',
    300 / milliseconds,
    1,
    'of 300 ms',
    `${milliseconds.toFixed(0)} ms`,
  );
}

/** Measures the peak memory of the process of documents while one thread rasterizes the scans. */
function peakMemory(pdf: string, folder: string): Figure {
  const self = fileURLToPath(import.meta.url);
  const { stdout } = spawnSync(process.execPath, [self, '--peak', pdf, join(folder, 'peak.tif')], {
    encoding: 'utf8',
  });
  const megabytes = Number(stdout) / 1000;
  return figure(
    'memory for fifty scans',
    400 / megabytes,
    1,
    'of 400 MB',
    `${megabytes.toFixed(0)} MB of the process of documents`,
  );
}

/** Takes all figures. Needs ghostscript and the libtiff tools. */
export async function run(): Promise<Figure[]> {
  const missing = unlessMissing('gs', 'tiffcp', 'tiff2pdf');
  if (missing.skip) throw new Error(`the document figures cannot be taken${missing.reason}`);
  const folder = mkdtempSync(join(tmpdir(), 'faxdesk-bench-'));
  const documents = createDocuments({ threads: 1, folders: [folder] });
  try {
    const inputs = await makeInputs(documents, folder);
    return [
      await rasterFigure(documents, folder, 'text', inputs.text, 0.35),
      await rasterFigure(documents, folder, 'scans', inputs.scans, 0.35),
      await rasterFigure(documents, folder, 'mixed pages', inputs.mixed, 0.45),
      ...(await tiffFigures(documents, folder, inputs)),
      await firstPage(documents, folder, inputs.text),
      peakMemory(inputs.scans, folder),
    ];
  } finally {
    await documents.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Kilobytes that the process of documents takes at most. */
async function printPeak(pdf: string, output: string): Promise<void> {
  const documents = createDocuments({ threads: 1, folders: [dirname(pdf), dirname(output)] });
  await documents.rasterToTiff(pdf, output, { ...plain, resolution: 'fine' });
  const [child] = ownChildren();
  await documents.close();
  console.log((child?.peakRssBytes ?? 0) / 1024);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , mode, pdf, output] = process.argv;
  if (mode === '--peak' && pdf !== undefined && output !== undefined) {
    await printPeak(pdf, output);
  } else {
    for (const { name, ratio, bar, unit, detail } of await run()) {
      console.log(`${ratio >= bar ? 'ok  ' : 'LOW '} ${name}: ${ratio} ${unit} (bar ${bar}); ${detail}`);
    }
  }
}
