import { useState } from 'react';
import { t } from '../../texts/help.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { PlacedArticle } from './help-article.tsx';
import { type HelpPlace, OpenHelpPlace } from './help-links.ts';
import { pages } from './help-pages.ts';

const words = t.help;

/** A help page, or `page#part`, over what is open. Its links open other pages in it. It needs neither a session nor a network. */
export function HelpDialog({ page: first, onClose }: { page: string; onClose: () => void }) {
  const [places, setPlaces] = useState<readonly HelpPlace[]>([placeOf(first)]);
  const place = places.at(-1);
  const page = pages.find(({ id }) => id === place?.page);
  return (
    <Dialog
      title={words.title}
      width="wide"
      isOpen
      onClose={onClose}
      actions={
        <>
          {places.length > 1 && (
            <Button onPress={() => setPlaces((before) => before.slice(0, -1))}>{words.back}</Button>
          )}
          <Button onPress={onClose}>{words.close}</Button>
        </>
      }
    >
      <OpenHelpPlace value={(next) => setPlaces((before) => [...before, next])}>
        {page && <PlacedArticle key={places.length} page={page} part={place?.part ?? null} />}
      </OpenHelpPlace>
    </Dialog>
  );
}

function placeOf(address: string): HelpPlace {
  const [page = address, part = null] = address.split('#');
  return { page, part };
}
