import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifyEvidence } from '../../server/features/work/offline.ts';
import { WorkGateway } from '../api/work-setup.ts';
import type { Person } from '../setup/mailbox-people.ts';
import type { Figure } from './figure.ts';

const ITEMS = 1_000;

/**
 * A thousand work items, each exported twice: the manifests are equal but for the export, and every archive holds up. Then one
 * archive with each of its bytes altered in turn.
 */
export async function run(): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'faxdesk-bench-'));
  const work = await WorkGateway.start();
  try {
    const ids: string[] = [];
    while (ids.length < ITEMS) ids.push((await work.arrive('ward')).id);
    const file = join(folder, 'evidence.zip');
    const counts = { equal: 0, intact: 0 };
    const spent = { exports: 0, documents: 0 };
    let archive: Buffer = Buffer.alloc(0);
    for (const id of ids) {
      const contents: string[] = [];
      for (const _time of [1, 2]) {
        const began = performance.now();
        archive = await bytesOf(work, `/work/${id}/export`);
        spent.exports += performance.now() - began;
        await writeFile(file, archive);
        const { intact, manifest } = await verifyEvidence(file);
        if (intact) counts.intact += 1;
        contents.push(JSON.stringify({ ...manifest, export: null }));
      }
      if (contents[0] === contents[1]) counts.equal += 1;
      const { inbound_fax_id } = await work.item(id);
      const began = performance.now();
      await bytesOf(work, `/inbound/${inbound_fax_id}/pdf`);
      spent.documents += 2 * (performance.now() - began);
    }
    // Without the document it is small enough for every byte.
    const auditor = await work.people.addPerson({ 'mailbox:ward': ['work:read', 'work:export'] });
    const small = await bytesOf(work, `/work/${ids[0]}/export`, auditor);
    const found = await alteredBytes(file, small);
    return [
      share('items exported twice with equal manifests', counts.equal, ITEMS),
      share('archives that hold up', counts.intact, 2 * ITEMS),
      share('altered bytes of an archive that are found', found, small.length),
      {
        name: 'exporting an item, against downloading its document',
        ratio: Number((spent.exports / spent.documents).toFixed(2)),
        unit: 'x',
        bar: 0,
        atMost: false,
        detail: `${(spent.exports / ITEMS / 2).toFixed(1)} ms for ${archive.length} bytes`,
      },
    ];
  } finally {
    await work.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function bytesOf(work: WorkGateway, path: string, person?: Person): Promise<Buffer> {
  const answer = await work.request('GET', path, person);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return Buffer.from(await answer.arrayBuffer());
}

async function alteredBytes(file: string, archive: Buffer): Promise<number> {
  let found = 0;
  for (let at = 0; at < archive.length; at += 1) {
    const altered = Buffer.from(archive);
    altered[at] = (altered[at] ?? 0) ^ (1 << (at % 8));
    await writeFile(file, altered);
    if (!(await verifyEvidence(file)).intact) found += 1;
  }
  return found;
}

function share(name: string, count: number, of: number): Figure {
  return { name, ratio: count / of, unit: '', bar: 1, atMost: false, detail: `${count} of ${of}` };
}
