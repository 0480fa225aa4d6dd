import { useParams } from '@tanstack/react-router';
import { useScreenTitle } from '../../parts/window-title.ts';
import { t } from '../../texts/costs.ts';
import { Subnav } from '../../ui/subnav.tsx';
import { MonthPage } from './month-page.tsx';
import { COST_PAGES } from './page-names.ts';
import { RateCardsPage } from './rate-cards-page.tsx';

/** Shows the costs of faxes, and the rate cards of providers and the phone line. */
export function CostsScreen() {
  const { costsPage } = useParams({ from: '/framed/costs/{-$costsPage}' });
  const current = costsPage === 'rate-cards' ? 'rate-cards' : 'month';
  useScreenTitle(t.costs.title);
  return (
    <>
      <Subnav
        to="/costs/{-$costsPage}"
        title={t.costs.title}
        label={t.costs.pages}
        current={current}
        entries={COST_PAGES}
      />
      {current === 'rate-cards' ? <RateCardsPage /> : <MonthPage />}
    </>
  );
}
