import { type ReactNode, type Ref, useState } from 'react';
import type { EditedPage, PageBox, PageMark } from '../../../shared/page-edits.ts';
import { signatureAddress } from '../../api/desk.ts';
import { openedAddress } from '../../api/page-token.ts';
import { itemsOf, textShare } from './page-marks.ts';
import styles from './page-picture.module.css';

/** Pages of the files of a draft as the gateway draws them without changes. */
export interface UnchangedPages {
  /** Of a preview at the gateway that has the files. */
  readonly previewId: string;
  /** Called when it is there no more. */
  readonly onLost: () => void;
}

interface PagePictureProps {
  readonly unchanged: UnchangedPages;
  /** Its number through all files, from 1. */
  readonly number: number;
  readonly turn: number;
  /** In pixels. */
  readonly width: number;
  readonly alt?: string;
  /** Called with the width divided by the height of the page in its file, without turns. */
  readonly onAspect?: (aspect: number) => void;
  readonly layerRef?: Ref<HTMLDivElement>;
  /** Lie on the page, in shares of its size. */
  readonly children?: ReactNode;
}

/** Width divided by height of a page of A4, until the page is there. */
export const A4_ASPECT = Math.SQRT1_2;

/** Shows a page as it is in its file, turned, in a place of exactly its size. */
export function PagePicture(props: PagePictureProps) {
  const { unchanged, number, turn, width, alt = '', onAspect, layerRef, children } = props;
  const [own, setOwn] = useState<number>(A4_ASPECT);
  const isQuarter = turn % 180 !== 0;
  const aspect = isQuarter ? 1 / own : own;
  const address = `/fax/preview/${encodeURIComponent(unchanged.previewId)}/unchanged/${number}.png?width=${width}`;
  return (
    <div ref={layerRef} className={styles['layer']} style={{ aspectRatio: aspect }}>
      <img
        className={styles['picture']}
        src={openedAddress(address)}
        alt={alt}
        loading="lazy"
        draggable={false}
        style={{
          width: isQuarter ? `${100 / aspect}%` : '100%',
          transform: `translate(-50%, -50%) rotate(${turn}deg)`,
        }}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
          setOwn(naturalWidth / naturalHeight);
          onAspect?.(naturalWidth / naturalHeight);
        }}
        onError={unchanged.onLost}
      />
      {children}
    </div>
  );
}

/** Draws what is on a page, as far as a screen can: the gateway draws what is sent. */
export function DrawnItems({ page }: { page: EditedPage }) {
  return itemsOf(page).map((item) =>
    item.index === null ? (
      <span key={item.key} className={styles['crop']} style={placeOf(item.box)} />
    ) : item.mark.kind === 'text' ? (
      <DrawnText key={item.key} mark={item.mark} page={page} />
    ) : (
      <span
        key={item.key}
        className={styles['box']}
        data-kind={item.mark.kind}
        style={placeOf(item.mark.box)}
      >
        {item.mark.kind === 'tick' && <Tick />}
        {'picture' in item.mark && <PlacedPicture id={item.mark.picture} />}
      </span>
    ),
  );
}

function DrawnText({
  mark,
  page,
}: {
  mark: Extract<PageMark, { kind: 'text' }>;
  page: Pick<EditedPage, 'crop'>;
}) {
  return (
    <span className={styles['text']} style={{ ...pointOf(mark), fontSize: fontSizeOf(mark.size, page) }}>
      {mark.text}
    </span>
  );
}

/** A signature or stamp, as large as it fits into its place. */
export function PlacedPicture({ id }: { id: string }) {
  return <img className={styles['placed']} src={signatureAddress(id)} alt="" draggable={false} />;
}

export function Tick() {
  return (
    <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
      <path d="M8 55 38 88 92 10" fill="none" stroke="#000" strokeWidth="14" vectorEffect="none" />
    </svg>
  );
}

export const placeOf = ({ x, y, width, height }: PageBox) => ({
  left: `${x * 100}%`,
  top: `${y * 100}%`,
  width: `${width * 100}%`,
  height: `${height * 100}%`,
});

export const pointOf = ({ x, y }: { x: number; y: number }) => ({ left: `${x * 100}%`, top: `${y * 100}%` });

/** In shares of the width of the page, which is the container of its texts. */
export const fontSizeOf = (points: number, page: Pick<EditedPage, 'crop'>): string =>
  `${textShare(points, page) * 100}cqw`;
