import { type RefObject, useEffect, useState } from 'react';
import type { InboundFax } from '../../api/inbound.ts';
import { t } from '../../texts/index.ts';
import { formatCount, usePhoneFormat } from '../../ui/format.ts';
import { PageImage } from '../pages/page-image.tsx';
import type { PictureRequest } from '../pages/page-props.ts';
import { PageViewer } from '../pages/page-viewer.tsx';
import { senderOf } from './fax-words.ts';
import { type PageSize, pageAddress } from './page-address.ts';
import { PageTools } from './page-tools.tsx';
import { useWideLayout } from './use-wide-layout.ts';
import type { ViewProps } from './view-options.ts';

interface FaxPagesProps extends ViewProps {
  readonly fax: InboundFax;
  readonly next: InboundFax | undefined;
  readonly pageFrame: RefObject<HTMLDivElement | null>;
  readonly toPages: RefObject<boolean>;
  /** Beside a list that needs the room. */
  readonly isNarrow?: boolean;
  /** Something was done with the fax. */
  readonly onAct: () => void;
}

/** The pages as they came, in true proportions. */
export function FaxPages(props: FaxPagesProps) {
  const { fax, next, pageFrame, toPages, view, onView, onAct, isNarrow = false } = props;
  const [current, setCurrent] = useState(1);
  const [turns, setTurns] = useState(0);
  // Beside a list the pane is 440 px wide.
  const isSmall =
    useWideLayout() && isNarrow && typeof view.zoom !== 'number' && window.devicePixelRatio <= 2;
  const size = isSmall ? 'half' : 'sheet';
  useNextPage(next, size);
  useEffect(() => {
    if (!toPages.current) return;
    toPages.current = false;
    pageFrame.current?.focus();
  }, [pageFrame, toPages]);
  return (
    <>
      <PageTools
        fax={fax}
        view={view}
        onView={onView}
        onTurn={() => {
          onAct();
          setTurns((turns + 1) % 4);
        }}
        onAct={onAct}
        isNarrow={isNarrow}
      />
      <PageViewer
        count={fax.pages ?? 1}
        current={current}
        onCurrent={(page) => {
          onAct();
          setCurrent(page);
        }}
        zoom={view.zoom}
        turns={turns}
        withThumbs={view.withThumbs}
        frameRef={pageFrame}
        picture={(request) => (
          <FaxPage fax={fax} request={request} size={request.size === 'thumb' ? 'thumb' : size} />
        )}
      />
    </>
  );
}

function FaxPage({ fax, request, size }: { fax: InboundFax; request: PictureRequest; size: PageSize }) {
  const phone = usePhoneFormat();
  return (
    <PageImage
      src={pageAddress(fax.id, request.page, size)}
      alt={t.inbox.viewer.page(formatCount(request.page), senderOf(fax, phone))}
      request={request}
      isSquare
    />
  );
}

/**
 * Has the gateway draw the first page of the next fax while this one is read. Sends a HEAD request only: the gateway
 * keeps the picture, and the audit records no opening of a fax that the person may never reach.
 */
function useNextPage(next: InboundFax | undefined, size: PageSize): void {
  const id = next?.status === 'received' && next.document_kept ? next.id : null;
  useEffect(() => {
    if (id === null) return;
    // On failure the picture is requested again, and the reason shown, once the fax is opened.
    fetch(pageAddress(id, 1, size), { method: 'HEAD' }).catch(() => undefined);
  }, [id, size]);
}
