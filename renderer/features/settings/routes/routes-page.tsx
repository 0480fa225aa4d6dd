import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { deliveryRoutesQuery } from '../../../api/delivery-routes.ts';
import { usePermission } from '../../../api/queries.ts';
import type { Provider } from '../../../api/settings.ts';
import entries from '../../../parts/entries/entries.module.css';
import { LoadProblem } from '../../../parts/load-problem.tsx';
import { t } from '../../../texts/delivery-routes.ts';
import { Button } from '../../../ui/button.tsx';
import settings from '../settings.module.css';
import { RouteDialog } from './route-dialog.tsx';
import { RouteRow } from './route-row.tsx';

const words = t.deliveryRoutes;

/** By which accounts faxes leave, side by side. */
export function RoutesPage({ providers }: { providers: readonly Provider[] }) {
  const mayChange = usePermission('routing:manage');
  const [isAdding, setAdding] = useState(false);
  return (
    <div className={settings['fields']}>
      <div className={entries['head']}>
        <p className={settings['sentence']}>{words.sentence}</p>
        {mayChange && (
          <Button icon="plus" onPress={() => setAdding(true)}>
            {words.add}
          </Button>
        )}
      </div>
      <Routes providers={providers} />
      {isAdding && <RouteDialog providers={providers} onClose={() => setAdding(false)} />}
    </div>
  );
}

function Routes({ providers }: { providers: readonly Provider[] }) {
  const routes = useQuery(deliveryRoutesQuery);
  if (!routes.data) return <LoadProblem of={routes} />;
  if (routes.data.length === 0) return <p className={entries['none']}>{words.empty}</p>;
  return (
    <ul className={entries['list']} aria-label={words.list}>
      {routes.data.map((route) => (
        <RouteRow key={route.id} route={route} providers={providers} />
      ))}
    </ul>
  );
}
