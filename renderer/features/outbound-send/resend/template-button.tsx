import { useMutation, useQuery } from '@tanstack/react-query';
import { type SavedDraft, savedDraftsQuery } from '../../../api/desk.ts';
import { sentenceOf } from '../../../api/sentence.ts';
import { t } from '../../../texts/index.ts';
import { Button } from '../../../ui/button.tsx';
import { announce } from '../../../ui/live-region.tsx';
import { Menu } from '../../../ui/menu.tsx';
import type { DraftStore } from '../draft/draft-store.ts';

/** Offers the templates of the person for the draft of an answer. Without any there is no button. */
export function TemplateButton({ drafts }: { drafts: DraftStore }) {
  const words = t.send.answer;
  const templates = (useQuery(savedDraftsQuery).data ?? []).filter(({ template }) => template);
  const using = useMutation({
    mutationFn: ({ id }: SavedDraft) => drafts.addTemplate(id),
    networkMode: 'always',
    onSuccess: (_none, { name }) => announce(words.templateUsed(name)),
  });
  if (templates.length === 0) return null;
  const entries = templates.map((one) => ({ id: one.id, label: one.name, run: () => using.mutate(one) }));
  return (
    <>
      <Menu label={words.template} entries={entries}>
        <Button isPending={using.isPending}>{words.template}</Button>
      </Menu>
      {using.error !== null && <span role="alert">{sentenceOf(using.error)}</span>}
    </>
  );
}
