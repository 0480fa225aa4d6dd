import { afterAll, describe, expect, test } from 'vitest';
import type { ReportContent } from '../../server/documents/documents.ts';
import { drawingPdf } from '../fixtures/make-drawings.ts';
import { referee } from '../fixtures/referees.ts';
import { needTools } from '../setup/tools.ts';
import { openWorkspace } from './workspace.ts';

const workspace = openWorkspace();
afterAll(async () => await workspace.close());

const row = (at: number) => [`${at}`, 'Phaxio', `A result that is longer than its column, number ${at}.`];
const content = (given: Partial<ReportContent> = {}): ReportContent => ({
  paper: 'a4',
  issuer: ['Example Clinic', 'Fax (202) 555-0100'],
  title: 'Fax transmission report',
  result: 'Delivered',
  explanation: ['3 of 3 pages confirmed by Phaxio.'],
  facts: [
    { label: 'To', value: 'Dr. Müller, 漢字, 한국어 🦄' },
    { label: 'Reason', value: `${'The fax may have arrived all the same. '.repeat(4)}Ask there.` },
    { label: 'Long', value: 'x'.repeat(400) },
  ],
  picture: { pdfPath: null, caption: 'Not shown: the document is no longer kept.' },
  sections: [
    {
      title: 'Attempts',
      columns: [
        { label: 'No.', share: 0.1 },
        { label: 'By', share: 0.2 },
        { label: 'Result', share: 0.7 },
      ],
      rows: [row(1)],
      sentences: ['Nothing else.'],
    },
  ],
  footer: ['Fax 1', 'Created by Faxdesk.'],
  name: 'Transmission report of fax 1',
  attachments: [
    {
      name: 'facts.json',
      mediaType: 'application/json',
      description: 'Facts',
      bytes: Buffer.from('{"a":"ä"}'),
    },
    { name: 'a-key.pem', mediaType: 'text/plain', description: 'Key', bytes: Buffer.from('key\n') },
  ],
  ...given,
});

async function drawn(given: Partial<ReportContent> = {}) {
  const bytes = await workspace.documents.transmissionReport(content(given));
  const path = workspace.file('report.pdf', bytes);
  return { bytes: Buffer.from(bytes), path, text: referee('pdftotext', ['-layout', path, '-']).toString() };
}

describe('the transmission report', () => {
  test('has its texts, a picture of page 1 and never fails on a character', async (context) => {
    needTools(context, 'pdftotext', 'pdfimages', 'qpdf');
    const pdfPath = workspace.file('shown.pdf', drawingPdf(400, 600));
    const { path, text } = await drawn({ picture: { pdfPath, caption: 'Page 1 of 3, as it is sent' } });
    expect(await workspace.documents.inspectPdf(path)).toEqual({ pages: 1 });
    for (const part of ['Fax transmission report', 'Dr. Müller, 漢字, \ufffd', 'Page 1 of 3, as it is sent'])
      expect(text).toContain(part);
    // A sentence is broken between words and read to its end, and so is a word that never ends.
    expect(text.replaceAll(/\s+/gu, ' ')).toMatch(/all the same\. Ask there\./u);
    expect(text.match(/x/gu)?.length).toBeGreaterThanOrEqual(400);
    expect(referee('pdfimages', ['-list', path]).toString()).toMatch(/1728 +2286/);
    expect(referee('qpdf', ['--check', path]).toString()).toMatch(/No syntax or stream encoding errors/u);
  });

  test('goes over as many pages as its rows need, each with its number and the names of the columns', async (context) => {
    needTools(context, 'pdftotext', 'pdfinfo');
    const [section] = content().sections;
    if (!section) throw new Error('no section');
    const rows = Array.from({ length: 200 }, (_, at) => row(at + 1));
    for (const [paper, size] of [
      ['a4', '595.28 x 841.89 pts'],
      ['letter', '612 x 792 pts'],
    ] as const) {
      const { path, text } = await drawn({ paper, sections: [{ ...section, rows }] });
      const info = referee('pdfinfo', [path]).toString();
      const pages = Number(/Pages: +(\d+)/u.exec(info)?.[1]);
      expect(info).toContain(size);
      expect(info).toMatch(/Title: +Transmission report of fax 1/u);
      expect(pages).toBeGreaterThan(3);
      expect(text.match(/No\. +By +Result/gu)).toHaveLength(pages);
      for (let page = 1; page <= pages; page += 1) expect(text).toContain(`Page ${page} of ${pages}`);
      for (const at of [1, 77, 200]) expect(text).toMatch(new RegExp(`number ${at}\\.`, 'u'));
    }
  });

  test('carries its files as they are, and is the same twice', async (context) => {
    needTools(context, 'pdfdetach');
    const { bytes, path } = await drawn();
    expect(bytes.includes('{"a":"ä"}')).toBe(true);
    expect(referee('pdfdetach', ['-list', path]).toString()).toMatch(/1: a-key\.pem\n2: facts\.json/u);
    const again = await workspace.documents.transmissionReport(content());
    expect(bytes.equals(again)).toBe(true);
  });

  test('lists the faxes of a call on one page', async () => {
    const rows = Array.from({ length: 40 }, (_, at) => ({ label: `Page ${at}`, value: `Fax ${at}` }));
    const list = { title: 'Faxes', result: 'From us', rows, footer: 'Faxdesk' };
    const path = workspace.file('list.pdf', await workspace.documents.listPage(list));
    expect(await workspace.documents.inspectPdf(path)).toEqual({ pages: 1 });
  });
});
