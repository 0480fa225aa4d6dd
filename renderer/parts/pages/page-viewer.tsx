import { type KeyboardEvent, type ReactNode, type RefObject, useRef, useState } from 'react';
import { t } from '../../texts/index.ts';
import { useActions } from '../../ui/actions.tsx';
import { formatCount } from '../../ui/format.ts';
import type { IconName } from '../../ui/icon.tsx';
import type { Tone } from '../../ui/state-word.tsx';
import { PageThumbs } from './page-thumbs.tsx';
import styles from './page-viewer.module.css';
import type { Zoom } from './zoom.tsx';

/** What is known of one page, beside its number: confirmed, under way, something to say about it. */
export interface PageMark {
  readonly tone: Tone;
  readonly icon: IconName;
  readonly word: string;
}

export interface PictureRequest {
  /** From 1. */
  readonly page: number;
  readonly size: 'thumb' | 'sheet';
  /** Tell the width of the page divided by its height as soon as it is known. */
  readonly onAspect: (aspect: number) => void;
}

export interface PageDeskProps {
  /** How many pages the document has. */
  readonly count: number;
  readonly current: number;
  readonly onCurrent: (page: number) => void;
  readonly zoom: Zoom;
  /** Default: they are shown when there are several pages. */
  readonly withThumbs?: boolean;
  /** The place the page lies in, which can take the focus. */
  readonly placeRef?: RefObject<HTMLDivElement | null>;
  /** Quarter turns to the right of the page that is shown, only for the eye. */
  readonly turns?: number;
  readonly marks?: ReadonlyMap<number, PageMark>;
  /** Draws one page into the place it is given. */
  readonly picture: (request: PictureRequest) => ReactNode;
}

/** Fine resolution: 1728 dots at 204 dpi by the lines of a letter sheet at 196 dpi. */
const USUAL_ASPECT = 8.47 / 11;

/** Paper on a desk: small pages at the side, the chosen one as large as it fits. Never inverted, in dark only dimmed. */
export function PageDesk(props: PageDeskProps) {
  const { count, current, onCurrent, withThumbs = true } = props;
  const go = (page: number) => onCurrent(Math.min(Math.max(page, 1), count));
  useActions(t.ui.pages.title, [
    { id: 'next', label: t.ui.pages.next, icon: 'down', keys: 'pagedown', run: () => go(current + 1) },
    { id: 'back', label: t.ui.pages.back, icon: 'up', keys: 'pageup', run: () => go(current - 1) },
  ]);
  return (
    <div className={styles['desk']}>
      {count > 1 && withThumbs && <PageThumbs {...props} />}
      <Sheet {...props} go={go} />
    </div>
  );
}

function Sheet(props: PageDeskProps & { go: (page: number) => void }) {
  const { count, current, zoom, turns = 0, picture, go } = props;
  const own = useRef<HTMLDivElement>(null);
  const place = props.placeRef ?? own;
  const [aspects, setAspects] = useState<ReadonlyMap<number, number>>(new Map());
  const aspect = aspects.get(current) ?? USUAL_ASPECT;
  const onAspect = (next: number) => {
    if (aspects.get(current) !== next) setAspects(new Map(aspects).set(current, next));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const target = pageForKey(event, place.current, { current, count });
    if (target === null) return;
    event.preventDefault();
    go(target);
    place.current?.scrollTo({ top: 0 });
  };
  return (
    <div
      ref={place}
      className={styles['place']}
      // A larger page is moved with the arrow keys.
      tabIndex={0}
      role="group"
      aria-label={t.ui.pages.of(formatCount(current), formatCount(count))}
      onKeyDown={onKeyDown}
    >
      <div
        key={current}
        className={styles['sheet']}
        data-zoom={typeof zoom === 'number' ? 'part' : zoom}
        data-turns={turns % 4 || undefined}
        style={
          {
            '--aspect': turns % 2 === 1 ? 1 / aspect : aspect,
            '--part': typeof zoom === 'number' ? zoom : 1,
          } as React.CSSProperties
        }
      >
        {picture({ page: current, size: 'sheet', onAspect })}
      </div>
    </div>
  );
}

/** Where a key leads; null when the key only moves the page that is shown. */
function pageForKey(
  { key }: KeyboardEvent,
  place: HTMLElement | null,
  { current, count }: { current: number; count: number },
): number | null {
  if (!place) return null;
  const left = place.scrollHeight - place.clientHeight - place.scrollTop;
  if (key === 'PageDown' && left <= 1) return current + 1;
  if (key === 'PageUp' && place.scrollTop <= 1) return current - 1;
  if (key === 'Home') return 1;
  if (key === 'End') return count;
  return null;
}
