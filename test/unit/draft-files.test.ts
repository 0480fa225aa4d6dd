import { expect, test } from 'vitest';
import { newDraft, withFiles } from '../../renderer/features/outbound-send/draft/draft.ts';
import { type DraftFile } from '../../renderer/parts/draft-files.ts';

const file = (id: string): DraftFile => ({ id, name: `${id}.pdf`, title: '', content: new Blob([id]) });
const [letter, photo] = [file('letter'), file('photo')];
const cleaned = { ...newDraft(), files: [letter, photo], cleanGreys: true };

test('cleaning greys goes with the documents that it was chosen for', () => {
  expect(withFiles(cleaned, [photo, letter]).cleanGreys, 'another order').toBe(true);
  expect(withFiles(cleaned, [photo]).cleanGreys, 'one removed').toBe(true);
  expect(withFiles(cleaned, [{ ...photo, title: 'Photo' }, letter]).cleanGreys, 'a title').toBe(true);
  expect(withFiles(cleaned, [letter, photo, file('chart')]).cleanGreys, 'one added').toBe(false);
  expect(withFiles(cleaned, []).cleanGreys, 'none left').toBe(false);
  expect(withFiles(cleaned, [file('chart')]).cleanGreys, 'another in their place').toBe(false);
});
