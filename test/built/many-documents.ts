import { expect } from 'vitest';
import type { Capability } from './capability.ts';
import { completeAtVendor } from './complete-at-vendor.ts';
import { type Body, LETTER, waitFor } from './office.ts';

const CASE_TO = '+12025550141';
const COVERED = '+12025550142';
const LIST = ['+12025550143', '+12025550144', '+12025550145'];
const letter = (name: string) => new File([new Uint8Array(LETTER)], name, { type: 'application/pdf' });

/** Faxes of several documents, with a cover page, and to many recipients. */
export const MANY_DOCUMENTS: readonly Capability[] = [
  {
    name: 'a case packet leaves as one fax, with an index page and a title before each document',
    run: async (office) => {
      const form = formOf({ to: CASE_TO });
      for (const name of ['Lab results.pdf', 'Referral.pdf']) form.append('documents', letter(name));
      const packet = await office.requestJson('POST', '/cases/4711/faxes', { form });
      expect(packet).toMatchObject({ case_id: '4711', pages: 5 });
      const fax = await completeAtVendor(office, office.emulators.cloudone, packet.fax_id);
      expect(fax).toMatchObject({ case_id: '4711', pages: 5 });
      const { items } = await office.requestJson('GET', '/cases/4711');
      expect(items.map((item: Body) => item.fax_id)).toEqual([fax.id]);
    },
  },
  {
    name: 'a fax leaves with a cover page, and its report is signed',
    run: async (office) => {
      const form = formOf({ to: COVERED, cover: 'plain', cover_fields: '{"note":"Please call."}' });
      form.append('file', letter('letter.pdf'));
      const { id } = await office.requestJson('POST', '/fax', { form });
      const fax = await completeAtVendor(office, office.emulators.cloudone, id);
      expect(fax).toMatchObject({ pages: 2, cover: { id: 'plain' } });
      const report = await office.bytes(`/fax/${id}/report`);
      expect(report.includes('faxdesk-report-1')).toBe(true);
    },
  },
  {
    name: 'a broadcast sends each recipient one fax',
    run: async (office) => {
      const form = formOf({ recipients: LIST.join('\n') });
      form.append('file', letter('notice.pdf'));
      const { broadcast } = await office.requestJson('POST', '/broadcasts', { form });
      const faxes = await waitFor(async () => {
        const { items } = await office.requestJson('GET', `/fax?broadcast_id=${broadcast.id}`);
        expect(items.map(({ to }: Body) => to).toSorted()).toEqual(LIST);
        return items as Body[];
      });
      for (const { id } of faxes) await completeAtVendor(office, office.emulators.cloudone, id);
      await waitFor(async () =>
        expect(await office.requestJson('GET', `/broadcasts/${broadcast.id}`)).toMatchObject({
          state: 'finished',
          counts: { delivered: LIST.length },
        }),
      );
    },
  },
];

function formOf(fields: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}
