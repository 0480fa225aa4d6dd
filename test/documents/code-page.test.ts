import { afterAll, describe, expect, it } from 'vitest';
import type { CodePageContent } from '../../server/documents/documents.ts';
import { wrapWords } from '../../server/documents/pdf/wrap-words.ts';
import { referee, unlessMissing } from '../fixtures/referees.ts';
import { openWorkspace } from './workspace.ts';

const workspace = openWorkspace();
afterAll(async () => await workspace.close());

const poppler = unlessMissing('pdftotext');

const content: CodePageContent = {
  title: 'Code for direct delivery with Faxdesk',
  from: ['Praxis Dr. Müller 漢字', 'Fax +1 303-555-0101'],
  purpose: 'The code below proves that this fax number belongs to you.',
  code: '48213 90576',
  lastDay: 'Valid through December 3, 2026',
  steps: { title: 'What to do', items: ['Open Contacts > Partners.', 'Type the code.'] },
  unexpected: { title: 'You did not expect this page?', text: 'Do not type the code.' },
};

describe('the page with a code', () => {
  it.skipIf(poppler.skip)(
    `is one page with all its texts, the code as one line${poppler.reason}`,
    async () => {
      const path = workspace.file('code.pdf', await workspace.documents.codePage(content));
      expect(await workspace.documents.inspectPdf(path)).toEqual({ pages: 1 });
      const text = referee('pdftotext', ['-layout', path, '-']).toString();
      const { title, from, purpose, lastDay, steps, unexpected } = content;
      for (const part of [
        title,
        ...from,
        purpose,
        lastDay,
        ...steps.items,
        unexpected.title,
        unexpected.text,
      ])
        expect(text).toContain(part);
      expect(text).toMatch(/^\s+48213 90576$/mu);
    },
  );

  it.skipIf(poppler.skip)(`stays one page with the longest texts${poppler.reason}`, async () => {
    const long = 'word '.repeat(400);
    const pages = await workspace.documents.codePage({
      ...content,
      from: [long, 'x'.repeat(1000)],
      purpose: long,
      steps: { title: long, items: [long, long, long] },
      unexpected: { title: long, text: long },
    });
    const path = workspace.file('long.pdf', pages);
    const words = referee('pdftotext', ['-bbox', path, '-']).toString();
    const bottoms = [...words.matchAll(/yMax="(\d+)/gu)].map(([, bottom]) => Number(bottom));
    expect(Math.max(...bottoms)).toBeLessThan(792 - 36);
    expect(referee('pdftotext', ['-layout', path, '-']).toString()).toContain('48213 90576');
  });

  it('is the same twice, so that a repeated order sends the same document', async () => {
    const [first, second] = [
      await workspace.documents.codePage(content),
      await workspace.documents.codePage(content),
    ];
    expect(Buffer.compare(first, second)).toBe(0);
  });
});

describe('wrapped words', () => {
  const wrap = (text: string, maxLines = 9) =>
    wrapWords(text, { maxLines, fits: (line) => line.length <= 10 });

  it('break between words, and inside one that is longer than a line', () => {
    expect(wrap('one two three four')).toEqual(['one two', 'three four']);
    expect(wrap(`${'x'.repeat(23)} end`)).toEqual(['xxxxxxxxxx', 'xxxxxxxxxx', 'xxx end']);
    expect(wrap(' \n ')).toEqual([]);
  });

  it('end in an ellipsis where they do not fit', () => {
    expect(wrap('one two three four', 1)).toEqual(['one two t…']);
    expect(wrap('one two three four', 2)).toEqual(['one two', 'three four']);
  });
});
