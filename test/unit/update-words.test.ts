import { expect, it } from 'vitest';
import { updateWords } from '../../main/updates/update-words.ts';

const installer = { version: '0.2.0', file: '/new', size: 1, sha512: '' };
const ready = (notes: string) =>
  ({ kind: 'ready', version: '0.2.0', notes, installer, hasWayBack: true }) as const;

it('long notes of a release are cut at the end of a line', () => {
  const notes = Array.from({ length: 400 }, (_, number) => `Change ${number}`).join('\n');
  const { detail } = updateWords(ready(notes), '0.1.0');
  expect(detail).toContain('Change 0\nChange 1\n');
  expect(detail).toContain('\n…\n\nThis is version 0.1.0.');
  expect(detail.length).toBeLessThan(1_500);
  expect(updateWords(ready('x'.repeat(9_000)), '0.1.0').detail.length).toBeLessThan(1_500);
});

it('a release without notes has no heading for them', () => {
  expect(updateWords(ready(' \n'), '0.1.0').detail).not.toContain('What is new');
});

it('a version without a way back is offered with a sentence on that', () => {
  const { detail } = updateWords({ ...ready('New.'), hasWayBack: false }, '0.1.0');
  expect(detail).toContain(
    'could not get the installer of version 0.1.0, so it cannot go back to it by itself',
  );
  expect(updateWords(ready('New.'), '0.1.0').detail).not.toContain('go back');
});
