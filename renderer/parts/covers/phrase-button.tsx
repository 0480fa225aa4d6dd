import { useQuery } from '@tanstack/react-query';
import { phrasesQuery } from '../../api/desk.ts';
import { t } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';

/** Offers the phrases of the person for a text. Without any there is no button. */
export function PhraseButton({ onChoose }: { onChoose: (text: string) => void }) {
  const phrases = useQuery(phrasesQuery).data ?? [];
  if (phrases.length === 0) return null;
  const entries = phrases.map(({ id, title, text }) => ({ id, label: title, run: () => onChoose(text) }));
  return (
    <Menu label={t.send.cover.phrases} entries={entries}>
      <Button>{t.send.cover.phrases}</Button>
    </Menu>
  );
}
