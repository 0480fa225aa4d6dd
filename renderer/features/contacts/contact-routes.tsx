import { useQuery } from '@tanstack/react-query';
import { destinations } from '../../api/costs.ts';
import { usePermission } from '../../api/queries.ts';
import { t } from '../../texts/contacts.ts';
import { formatCount } from '../../ui/format.ts';
import { formatMoney } from '../../ui/money.ts';
import styles from './contact-details.module.css';

const words = t.contacts.routesTo;

/**
 * Shows the best route to the number in the last 90 days and why it is, and each route when there are several. Nothing
 * while no fax has ended.
 */
export default function ContactRoutes({ number }: { number: string }) {
  const mayRead = usePermission('routing:read');
  const { data } = useQuery({
    queryKey: ['contacts', 'routes-to', number],
    enabled: mayRead,
    queryFn: ({ signal }) => destinations.getDestination({ params: { number }, signal }),
    staleTime: 0,
  });
  if (!data || data.routes.length === 0) return null;
  const { routes, recommendation } = data;
  return (
    <section className={styles['section']} aria-labelledby="routes-to">
      <h3 id="routes-to">{words.title}</h3>
      <p>{recommendation.reason}</p>
      {routes.length > 1 && (
        <ul className={styles['ways']}>
          {routes.map((route) => (
            <li key={route.route_id ?? route.backend}>{routeText(route)}</li>
          ))}
        </ul>
      )}
    </section>
  );
}

type Route = Awaited<ReturnType<typeof destinations.getDestination>>['routes'][number];

/** `Phaxio: 5 delivered, 1 failed, $0.07 a page` */
function routeText({ name, days_90, per_page }: Route): string {
  const { success, failed, doubt } = days_90;
  const facts = [
    words.delivered(formatCount(success)),
    ...(failed > 0 ? [words.failed(formatCount(failed))] : []),
    ...(doubt > 0 ? [words.doubt(formatCount(doubt))] : []),
    per_page === null ? words.costUnknown : words.perPage(formatMoney(per_page)),
  ];
  return `${name}: ${facts.join(', ')}`;
}
