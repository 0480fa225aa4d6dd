import { desk, type SavedDraft, savedDraftsQuery } from '../../../api/desk.ts';
import { queryClient } from '../../../api/queries.ts';
import { randomId } from '../../../api/random-id.ts';
import { type DraftFile, NAME_LENGTH, uploadNames } from '../../../parts/draft-files.ts';
import { type Draft, NO_OPTIONS, newDraft } from './draft.ts';

/** Draft without the contents of its documents, as the gateway stores it. */
interface WrittenDraft extends Omit<Draft, 'files'> {
  readonly files: readonly (Omit<DraftFile, 'content'> & { readonly type: string })[];
}

/** Saves a draft on the gateway, for its person on every computer. A template stays there when it is opened. Rejects. */
export async function saveDraft(
  { files, ...draft }: Draft,
  { name, template }: Pick<SavedDraft, 'name' | 'template'>,
): Promise<void> {
  const named = files.map(({ content, ...file }) => ({ ...file, type: content.type }));
  const content = JSON.stringify({ ...draft, files: named } satisfies WrittenDraft);
  const names = uploadNames(files);
  await desk.saveDraft({
    params: { id: randomId() },
    fields: { name: name.slice(0, NAME_LENGTH), content, template: String(template) },
    files: { file: files.map((file, index) => ({ name: names[index] ?? '', content: file.content })) },
  });
  await savedChanged();
}

/**
 * Reads a saved draft. One that was made of a template is a new fax; any other keeps its key, so that it becomes one fax
 * only, even when two computers open it. Rejects.
 */
export async function readSavedDraft(id: string): Promise<{ draft: Draft; isTemplate: boolean }> {
  const saved = await desk.getDraft({ params: { id } });
  const { files, ...written } = JSON.parse(saved.content) as WrittenDraft;
  const contents: Blob[] = [];
  for (const [index, { type }] of files.entries()) {
    const bytes = await desk.getDraftFile({ params: { id, number: index + 1 } });
    contents.push(new Blob([Uint8Array.from(bytes)], { type }));
  }
  const draft = {
    ...newDraft(),
    ...written,
    options: { ...NO_OPTIONS, ...written.options },
    files: files.map(({ type: _type, ...file }, index) => ({
      ...file,
      content: contents[index] ?? new Blob(),
    })),
  };
  return {
    draft: saved.template ? { ...draft, key: randomId(), tried: null } : draft,
    isTemplate: saved.template,
  };
}

export async function renameSavedDraft(id: string, name: string): Promise<void> {
  await desk.renameDraft({ params: { id }, body: { name } });
  await savedChanged();
}

export async function removeSavedDraft(id: string): Promise<void> {
  await desk.removeDraft({ params: { id } });
  await savedChanged();
}

async function savedChanged(): Promise<void> {
  await queryClient.invalidateQueries(savedDraftsQuery);
}
