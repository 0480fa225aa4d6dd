import { type RefObject, useEffect, useState } from 'react';
import type { InboundFax } from '../../../api/inbound.ts';
import { PageImage, PageWaiting } from '../../../parts/pages/page-image.tsx';
import type { PictureRequest } from '../../../parts/pages/page-props.ts';
import { PageViewer } from '../../../parts/pages/page-viewer.tsx';
import { t } from '../../../texts/index.ts';
import { formatCount, usePhoneFormat } from '../../../ui/format.ts';
import { senderOf } from '../fax-words.ts';
import { pageAddress } from './page-address.ts';
import { PageTools } from './page-tools.tsx';
import { useNextPage } from './use-next-page.ts';
import type { ViewProps } from './view-options.ts';

interface FaxPagesProps extends ViewProps {
  readonly fax: InboundFax;
  readonly next: InboundFax | undefined;
  readonly pageFrame: RefObject<HTMLDivElement | null>;
  readonly toPages: RefObject<boolean>;
}

/** The pages as they came, in true proportions. */
export function FaxPages({ fax, next, pageFrame, toPages, view, onView }: FaxPagesProps) {
  const [current, setCurrent] = useState(1);
  const [turns, setTurns] = useState(0);
  useNextPage(next);
  useEffect(() => {
    if (!toPages.current) return;
    toPages.current = false;
    pageFrame.current?.focus();
  }, [pageFrame, toPages]);
  return (
    <>
      <PageTools fax={fax} view={view} onView={onView} onTurn={() => setTurns((turns + 1) % 4)} />
      <PageViewer
        count={fax.pages ?? 1}
        current={current}
        onCurrent={setCurrent}
        zoom={view.zoom}
        turns={turns}
        withThumbs={view.withThumbs}
        frameRef={pageFrame}
        picture={(request) => <FaxPage fax={fax} request={request} />}
      />
    </>
  );
}

function FaxPage({ fax, request }: { fax: InboundFax; request: PictureRequest }) {
  const phone = usePhoneFormat();
  const [isBroken, setBroken] = useState(false);
  if (isBroken) return <PageWaiting>{request.size === 'sheet' ? t.inbox.viewer.pageBroke : ''}</PageWaiting>;
  return (
    <PageImage
      src={pageAddress(fax.id, request.page, request.size)}
      alt={t.inbox.viewer.page(formatCount(request.page), senderOf(fax, phone))}
      request={request}
      isSquare
      onError={() => setBroken(true)}
    />
  );
}
