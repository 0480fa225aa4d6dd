import { useEffect, useRef, useState } from 'react';
import { type CoverPreview, covers } from '../../api/covers.ts';
import { sentenceOf } from '../../api/sentence.ts';
import { addressOwnPicture, releaseOwnPicture } from '../pages/load-picture.ts';

interface CoverPicture {
  /** Address of the last picture; null before the first. */
  readonly src: string | null;
  /** Sentence on why the page cannot be printed; null when it can. */
  readonly problem: string | null;
}

const NONE: CoverPicture = { src: null, problem: null };

/**
 * Draws a cover page again at each change; null draws none. One request is under way at a time, and the newest change is
 * drawn next, so that fast typing shows every moment's page as soon as it can.
 */
export function useCoverPicture(preview: CoverPreview | null): CoverPicture {
  const [picture, setPicture] = useState(NONE);
  const wanted = preview === null ? null : JSON.stringify(preview);
  const drawer = useRef<Drawer>(null);
  drawer.current ??= createDrawer(setPicture);
  useEffect(() => drawer.current?.draw(wanted), [wanted]);
  useEffect(() => () => drawer.current?.draw(null), []);
  return wanted === null ? NONE : picture;
}

interface Drawer {
  draw(wanted: string | null): void;
}

function createDrawer(show: (picture: CoverPicture) => void): Drawer {
  let wanted: string | null = null;
  let drawn: string | null = null;
  let isDrawing = false;
  const addresses: string[] = [];
  const keep = (address: string) => {
    addresses.push(address);
    // The one before is still shown until this one is.
    while (addresses.length > 2) releaseOwnPicture(addresses.shift() ?? '');
  };
  const next = async () => {
    if (isDrawing) return;
    isDrawing = true;
    let problem: string | null = null;
    for (let drawing = wanted; drawing !== null && drawing !== drawn; drawing = wanted) {
      try {
        const bytes = await covers.previewCover({ body: JSON.parse(drawing) as CoverPreview });
        keep(addressOwnPicture(new Blob([Uint8Array.from(bytes)], { type: 'image/png' })));
        problem = null;
      } catch (error) {
        problem = sentenceOf(error);
      }
      drawn = drawing;
      if (wanted !== null) show({ src: addresses.at(-1) ?? null, problem });
    }
    isDrawing = false;
  };
  return {
    draw(text) {
      wanted = text;
      if (text === null) drawn = null;
      void next();
    },
  };
}
