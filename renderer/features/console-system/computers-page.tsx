import { queryOptions, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { z } from 'zod';
import { type HttpsState, httpsRoutes } from '../../../shared/api/https.ts';
import { createRooms } from '../../../shared/client/rooms.ts';
import { origin } from '../../api/client.ts';
import { settingsQuery } from '../../api/settings.ts';
import { LoadProblem } from '../../parts/load-problem.tsx';
import { t } from '../../texts/administration.ts';
import { CopyField } from '../../ui/copy-field.tsx';
import { DownloadLink } from '../../ui/download-link.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Fold } from '../../ui/fold.tsx';
import { formatDay, formatFully } from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { Pane, PaneBody, PaneHead } from '../../ui/pane.tsx';
import { Fact, Facts } from './facts.tsx';
import styles from './system.module.css';

const words = t.system.computers;
const ROOT_ADDRESS = '/https/root.crt';
/** The best ones stand first; more only confuse. */
const MAX_ADDRESSES = 3;
const POLL_EVERY_MS = 15_000;

const STEPS = [
  [words.windows, words.windowsSteps],
  [words.macos, words.macosSteps],
  [words.linux, words.linuxSteps],
  [words.phones, words.phonesSteps],
] as const;

type State = z.infer<typeof HttpsState>;

const httpsQuery = queryOptions({
  queryKey: ['system', 'https'],
  queryFn: ({ signal }) => https.state({ signal }),
  staleTime: 0,
  refetchInterval: POLL_EVERY_MS,
});

/** Client of the routes for HTTPS access from other computers. */
const { https } = createRooms({ https: httpsRoutes }, origin);

/** Shows how other computers of the office open the console, and how they come to trust its certificate. */
export function ComputersPage() {
  const state = useQuery(httpsQuery);
  return (
    <Pane label={words.title}>
      <PaneHead isForm title={words.title} />
      <PaneBody isPadded label={words.title}>
        <div className={styles['column']}>
          <LoadProblem of={state} />
          {state.data && <Computers state={state.data} />}
        </div>
      </PaneBody>
    </Pane>
  );
}

function Computers({ state }: { state: State }) {
  const { source, problem, addresses, root, certificate } = state;
  return (
    <>
      {problem !== null && (
        <Notice tone="danger" isLive title={words.problem} action={<SettingsLink />}>
          {problem}
        </Notice>
      )}
      {source === 'off' && <NoAccess />}
      {addresses.length > 0 && <Addresses addresses={addresses} announced={state.announced} />}
      {state.words && <SixWords six={state.words} />}
      {root && addresses[0] !== undefined && <Trust root={root} address={addresses[0]} />}
      {source === 'files' && certificate && <p className={styles['quiet']}>{words.files}</p>}
      {certificate && <Certificate certificate={certificate} isRenewed={root !== null} />}
    </>
  );
}

function NoAccess() {
  const settings = useQuery(settingsQuery);
  if (settings.isPending) return null;
  const isDecided = settings.data?.settings.some(
    ({ name, source }) => (name === 'HTTPS_ENABLED' || name === 'HTTPS_HOST') && source === 'office',
  );
  return isDecided ? (
    <EmptyState icon="group" title={words.off}>
      {words.officeSentence}
    </EmptyState>
  ) : (
    <EmptyState icon="group" title={words.off} action={<SettingsLink />}>
      {words.offSentence}
    </EmptyState>
  );
}

function SettingsLink() {
  return (
    <Link to="/settings/{-$settingsPage}" params={{ settingsPage: 'other-computers' }}>
      {words.settings}
    </Link>
  );
}

function Addresses(props: { addresses: readonly string[]; announced: string | null }) {
  const { addresses, announced } = props;
  return (
    <section className={styles['part']} aria-label={words.address}>
      <p className={styles['quiet']}>{words.sentence}</p>
      {addresses.slice(0, MAX_ADDRESSES).map((address, index) => (
        <CopyField key={address} label={index === 0 ? words.address : words.otherAddress} value={address} />
      ))}
      {announced !== null && <p className={styles['quiet']}>{words.announced(announced)}</p>}
    </section>
  );
}

/** Shows the six words that a person compares in the window of another computer. */
function SixWords({ six }: { six: readonly string[] }) {
  return (
    <section className={styles['part']} aria-label={words.six}>
      <h3 className={styles['heading']}>{words.six}</h3>
      <p className={styles['quiet']}>{words.sixSentence}</p>
      <p className={styles['words']}>{six.join(' ')}</p>
    </section>
  );
}

function Trust({ root, address }: { root: NonNullable<State['root']>; address: string }) {
  return (
    <section className={styles['part']} aria-label={words.trust}>
      <h3 className={styles['heading']}>{words.trust}</h3>
      <p className={styles['quiet']}>{words.trustSentence}</p>
      <div>
        <p className={styles['name']}>{words.root(root.name)}</p>
        <p className={styles['code']}>{root.fingerprint}</p>
      </div>
      <div className={styles['line']}>
        <DownloadLink href={ROOT_ADDRESS}>{words.save}</DownloadLink>
        <p className={styles['quiet']}>{words.saved(`${address}${ROOT_ADDRESS}`)}</p>
      </div>
      <Fold title={words.systems} summary={words.systemsSummary}>
        <div className={styles['column']}>
          {STEPS.map(([system, steps]) => (
            <div key={system}>
              <p className={styles['name']}>{system}</p>
              <p className={styles['quiet']}>{steps}</p>
            </div>
          ))}
        </div>
      </Fold>
    </section>
  );
}

function Certificate(props: { certificate: NonNullable<State['certificate']>; isRenewed: boolean }) {
  const { names, valid_until } = props.certificate;
  const day = formatDay(new Date(valid_until));
  return (
    <Facts title={words.certificate}>
      <Fact name={words.until} title={formatFully(valid_until)}>
        {props.isRenewed ? words.renewed(day) : day}
      </Fact>
      <Fact name={words.names}>{names.join(', ')}</Fact>
    </Facts>
  );
}
