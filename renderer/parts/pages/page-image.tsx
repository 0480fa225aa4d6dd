import { useEffect, useRef, useState } from 'react';
import { UnreachableError } from '../../api/sentence.ts';
import { t } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
import { DrawnPicture } from './drawn-picture.tsx';
import type { PictureRequest } from './page-props.ts';
import styles from './page-viewer.module.css';
import { usePicture } from './use-picture.ts';

/** A fax dot is a little narrower than it is high: 204 dots by 196 lines an inch. */
const DOT_ASPECT = 196 / 204;

interface PageImageProps {
  readonly src: string;
  readonly alt: string;
  readonly request: PictureRequest;
  /** In true proportions; else dot by dot as a fax machine writes it. */
  readonly isSquare?: boolean;
  /** The gateway has it no more. */
  readonly onGone?: (() => void) | undefined;
}

/**
 * Shows one page as a picture. An earlier picture stays until the next one can be shown. A picture that failed to load is
 * requested again: automatically when there was no response, else by a person.
 */
export function PageImage(props: PageImageProps) {
  const { src, request } = props;
  const [shown, setShown] = useState(src);
  const onReady = () => {
    setShown(src);
    request.onReady?.();
  };
  const addresses = shown === src ? [src] : [shown, src];
  return addresses.map((address) => (
    <LoadedImage
      {...props}
      key={address}
      src={address}
      isAhead={address !== shown}
      onReady={address === src ? onReady : undefined}
    />
  ));
}

function LoadedImage({
  src,
  alt,
  request,
  isSquare = false,
  onGone,
  isAhead,
  onReady,
}: PageImageProps & {
  /** It is loaded while an earlier one is shown. */
  isAhead: boolean;
  onReady: (() => void) | undefined;
}) {
  const picture = usePicture(src, onGone);
  const dot = isSquare ? 1 : DOT_ASPECT;
  const { isBroken } = picture;
  const tell = useRef(onReady);
  tell.current = onReady;
  useEffect(() => {
    if (isBroken) tell.current?.();
  }, [isBroken]);
  if (isBroken) return <PageProblem request={request} {...picture} />;
  const onAspect = (width: number, height: number) => request.onAspect((width / height) * dot);
  if (request.size === 'sheet')
    return (
      <DrawnPicture
        key={picture.tried}
        {...{ src, alt, isAhead }}
        onDrawn={(width, height) => {
          onAspect(width, height);
          tell.current?.();
        }}
        onError={picture.failed}
      />
    );
  return (
    <img
      key={picture.tried}
      className={styles['picture']}
      data-ahead={isAhead || undefined}
      src={src}
      alt=""
      decoding="async"
      draggable={false}
      onLoad={({ currentTarget }) => {
        onAspect(currentTarget.naturalWidth, currentTarget.naturalHeight);
        // Shown only once it is decoded, so that nothing blank stands in between.
        currentTarget.decode().then(
          () => tell.current?.(),
          () => tell.current?.(),
        );
      }}
      onError={picture.failed}
    />
  );
}

/** Shown in place of a page that could not be loaded or drawn. The small ones show no reason. */
export function PageProblem(props: { request: PictureRequest; error: unknown; tryAgain: () => void }) {
  const { request, error, tryAgain } = props;
  if (request.size !== 'sheet') return <PageWaiting>{''}</PageWaiting>;
  const words = t.ui.pages;
  return (
    <div className={styles['waiting']} role="status">
      <p>{error instanceof UnreachableError ? words.unanswered : words.broke}</p>
      <div>
        <Button onPress={tryAgain}>{t.ui.tryAgain}</Button>
      </div>
    </div>
  );
}

/** In the place of a page that is not there yet. */
export function PageWaiting({ children }: { children: string }) {
  return <span className={styles['waiting']}>{children}</span>;
}
