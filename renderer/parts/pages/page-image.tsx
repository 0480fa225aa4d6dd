import { UnreachableError } from '../../api/sentence.ts';
import { t } from '../../texts/index.ts';
import { Button } from '../../ui/button.tsx';
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
 * Shows one page as a picture. A picture that failed to load is requested again: automatically when there was no
 * response, else by a person.
 */
export function PageImage(props: PageImageProps) {
  return <LoadedImage key={props.src} {...props} />;
}

function LoadedImage({ src, alt, request, isSquare = false, onGone }: PageImageProps) {
  const picture = usePicture(src, onGone);
  const dot = isSquare ? 1 : DOT_ASPECT;
  if (picture.isBroken) return <PageProblem request={request} {...picture} />;
  return (
    <img
      key={picture.tried}
      className={styles['picture']}
      src={src}
      alt={request.size === 'thumb' ? '' : alt}
      decoding="async"
      draggable={false}
      onLoad={({ currentTarget }) =>
        request.onAspect((currentTarget.naturalWidth / currentTarget.naturalHeight) * dot)
      }
      onError={picture.failed}
    />
  );
}

/** Shown in place of a page that could not be loaded or drawn. The small one shows no reason. */
export function PageProblem(props: { request: PictureRequest; error: unknown; tryAgain: () => void }) {
  const { request, error, tryAgain } = props;
  if (request.size === 'thumb') return <PageWaiting>{''}</PageWaiting>;
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
