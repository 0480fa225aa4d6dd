import type { PictureRequest } from './page-props.ts';
import styles from './page-viewer.module.css';

/** A fax dot is a little narrower than it is high: 204 dots by 196 lines an inch. */
const DOT_ASPECT = 196 / 204;

/** One page that comes as a picture: dot by dot as a fax machine writes it, or `isSquare`, in true proportions already. */
export function PageImage(props: {
  src: string;
  alt: string;
  request: PictureRequest;
  isSquare?: boolean;
  onError?: (() => void) | undefined;
}) {
  const { src, alt, request, isSquare = false, onError } = props;
  const dot = isSquare ? 1 : DOT_ASPECT;
  return (
    <img
      className={styles['picture']}
      src={src}
      alt={request.size === 'thumb' ? '' : alt}
      decoding="async"
      draggable={false}
      onLoad={({ currentTarget }) =>
        request.onAspect((currentTarget.naturalWidth / currentTarget.naturalHeight) * dot)
      }
      onError={onError}
    />
  );
}

/** In the place of a page that is not there yet. */
export function PageWaiting({ children }: { children: string }) {
  return <span className={styles['waiting']}>{children}</span>;
}
