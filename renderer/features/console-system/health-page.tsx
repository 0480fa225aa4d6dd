import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { gatewaysRoutes } from '../../../shared/api/gateways.ts';
import { signingRoutes } from '../../../shared/api/signing.ts';
import { createRooms } from '../../../shared/client/rooms.ts';
import { isRegularWork, jobKindWords } from '../../../shared/job-kinds.ts';
import { REPORT_PROBLEMS } from '../../../shared/report-problems.ts';
import { DELIVERY_STATES } from '../../../shared/states/outbound.ts';
import { origin } from '../../api/client.ts';
import { deliveryCountsQuery } from '../../api/intake.ts';
import { openedAddress } from '../../api/page-token.ts';
import { printoutCountsQuery } from '../../api/print-rules.ts';
import { usePermission } from '../../api/queries.ts';
import { faxState } from '../../parts/fax-state.ts';
import { LoadProblem } from '../../parts/load-problem.tsx';
import { t } from '../../texts/administration.ts';
import { useActions } from '../../ui/actions.tsx';
import { Button } from '../../ui/button.tsx';
import { DownloadLink } from '../../ui/download-link.tsx';
import {
  formatAgo,
  formatBytes,
  formatCount,
  formatFully,
  formatTimeExactly,
  formatWhen,
} from '../../ui/format.ts';
import { Notice } from '../../ui/notice.tsx';
import { Pane, PaneBody, PaneHead } from '../../ui/pane.tsx';
import { StateWord } from '../../ui/state-word.tsx';
import { Fact, Facts } from './facts.tsx';
import { type Status, statusQuery } from './status-query.ts';
import styles from './system.module.css';

const words = t.system.health;
const { gateways, signing } = createRooms({ gateways: gatewaysRoutes, signing: signingRoutes }, origin);

/** Shows the health of the gateway, its storage and its open work. */
export function HealthPage() {
  const status = useQuery(statusQuery);
  const refresh = () => void status.refetch();
  useActions(t.system.title, [
    { id: 'refresh', label: t.system.refresh, icon: 'refresh', keys: 'shift+r', run: refresh },
  ]);
  return (
    <Pane label={words.title}>
      <PaneHead
        isForm
        title={words.title}
        count={
          status.data && t.system.readAt(formatTimeExactly(new Date(status.dataUpdatedAt).toISOString()))
        }
      >
        <Button icon="refresh" keys="shift+r" isPending={status.isRefetching} onPress={refresh}>
          {t.system.refresh}
        </Button>
      </PaneHead>
      <PaneBody isPadded label={words.title}>
        <div className={styles['column']}>
          <LoadProblem of={status} />
          {status.data && <Health status={status.data} />}
          <ProblemReports />
        </div>
      </PaneBody>
    </Pane>
  );
}

function Health({ status }: { status: Status }) {
  // The page never reports that everything works above a line with a problem.
  const isWell = status.warnings.length === 0;
  return (
    <>
      {status.problems.length === 0 ? (
        isWell && <Notice tone="ok">{words.well}</Notice>
      ) : (
        <Notice tone="danger" isLive title={words.problems}>
          <ul>
            {status.problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </Notice>
      )}
      {status.warnings.length > 0 && (
        <Notice tone="warn" title={words.warnings}>
          <ul>
            {status.warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
          <DeliveryLinks />
          <PrintoutLinks />
        </Notice>
      )}
      <div className={styles['parts']}>
        <FaxCounts faxes={status.faxes} />
        <Traffic status={status} />
        <Waiting waiting={status.waiting} />
        <Reports found={status.report_problems} />
        <Storage status={status} />
        <GatewayFacts />
        <About status={status} />
      </div>
    </>
  );
}

function FaxCounts({ faxes }: { faxes: Status['faxes'] }) {
  const states = DELIVERY_STATES.filter((state) => (faxes[state] ?? 0) > 0);
  return (
    <Facts title={words.faxes} none={states.length === 0 ? words.noFaxes : null}>
      {states.map((state) => {
        const { tone, icon, word } = faxState({
          delivery_state: state,
          send_at: null,
          hours: null,
          waits_for: null,
          held_reason: null,
          together: { leaves_at: null, with: [] },
          decision: null,
        });
        return (
          <div key={state} className={styles['fact']}>
            <dt>
              <StateWord tone={tone} icon={icon} size="body">
                {word}
              </StateWord>
            </dt>
            <dd>{formatCount(faxes[state] ?? 0)}</dd>
          </div>
        );
      })}
    </Facts>
  );
}

/** Shows whether receiving is on, and when the last faxes were received and delivered. */
function Traffic({ status }: { status: Status }) {
  const { receiving, last_received_at, last_delivered_at } = status;
  return (
    <Facts title={words.receivingHeading}>
      <Fact name={words.receivingHeading} {...(receiving.sentence ? { title: receiving.sentence } : {})}>
        {words.receiving[receiving.state]}
      </Fact>
      <LastTime name={words.lastIn} at={last_received_at} />
      <LastTime name={words.lastOut} at={last_delivered_at} />
    </Facts>
  );
}

function LastTime({ name, at }: { name: string; at: string | null }) {
  return (
    <Fact name={name} {...(at === null ? {} : { title: formatFully(at) })}>
      {at === null ? words.noneYet : formatAgo(at)}
    </Fact>
  );
}

/** Shows what waits to be done; checks and cleanups always wait for their next time. */
function Waiting({ waiting }: { waiting: Status['waiting'] }) {
  const kinds = Object.entries(waiting).filter(([kind, count]) => count > 0 && !isRegularWork(kind));
  return (
    <Facts title={words.waiting} none={kinds.length === 0 ? words.nothingWaits : null}>
      {kinds.map(([kind, count]) => (
        <Fact key={kind} name={jobKindWords(kind)}>
          {formatCount(count)}
        </Fact>
      ))}
    </Facts>
  );
}

/** Shows the reports that providers did not send, and those that were refused. */
function Reports({ found }: { found: Status['report_problems'] }) {
  if (found.length === 0) return null;
  return (
    <Facts title={words.reports}>
      {found.map(({ backend, problem, count, last_at }) => (
        <Fact key={`${backend} ${problem}`} name={REPORT_PROBLEMS[problem]} title={formatFully(last_at)}>
          {words.reported(formatCount(count), formatWhen(last_at))}
        </Fact>
      ))}
    </Facts>
  );
}

function Storage({ status }: { status: Status }) {
  const { free_bytes, last_backup, document_storage } = status;
  const { bucket } = document_storage;
  return (
    <Facts title={words.storage}>
      <Fact name={words.stored}>{formatBytes(status.store_bytes)}</Fact>
      <Fact name={words.free}>{free_bytes === null ? words.unknown : formatBytes(free_bytes)}</Fact>
      <Fact name={words.database}>{words.databases[status.database]}</Fact>
      <Fact name={words.folder} title={status.data_folder}>
        {status.data_folder}
      </Fact>
      <Fact name={words.documents}>{words.places[document_storage.backend]}</Fact>
      {bucket !== null && (
        <Fact name={words.bucket} title={document_storage.problem ?? bucket}>
          {document_storage.problem === null ? bucket : words.bucketProblem}
        </Fact>
      )}
      <LastTime name={words.lastBackup} at={last_backup?.created_at ?? null} />
    </Facts>
  );
}

/** Shows the gateways on the database, where several work on it. Visible with the permission to read settings. */
function GatewayFacts() {
  const mayRead = usePermission('settings:read');
  const found = useQuery({
    queryKey: ['system', 'gateways'],
    enabled: mayRead,
    staleTime: 0,
    refetchInterval: 15_000,
    queryFn: ({ signal }) => gateways.list({ signal }),
  }).data;
  if (!mayRead || !found?.several) return null;
  return (
    <Facts title={words.gateways}>
      {found.gateways.map(({ name, this: isThis, state, works, last_seen_at }) => (
        <Fact key={name} name={isThis ? words.thisGateway(name) : name} title={formatFully(last_seen_at)}>
          {state === 'gone' && words.gatewayGone(formatAgo(last_seen_at))}
          {state === 'running' && (works ? words.gatewayWorks : words.gatewayRuns)}
        </Fact>
      ))}
    </Facts>
  );
}

function About({ status }: { status: Status }) {
  return (
    <Facts title={words.about}>
      <Fact name={words.release}>{status.release}</Fact>
      <Fact name={words.since} title={formatFully(status.started_at)}>
        {formatWhen(status.started_at)}
      </Fact>
      <Fact name={words.listening} title={status.listening}>
        {status.listening}
      </Fact>
      <Fact name={words.runtime}>{words.runsOn(status.platform, status.node.replace(/^v/u, ''))}</Fact>
      <Fact name={words.libreOffice} title={status.libreoffice ?? words.withoutLibreOffice}>
        {status.libreoffice ?? words.notFound}
      </Fact>
      <SigningFact />
    </Facts>
  );
}

/** Reports for the person who helps, without personal data: of the gateway, and of the desktop application. */
function ProblemReports() {
  return (
    <section className={styles['part']}>
      <div>
        <DownloadLink href={openedAddress('/console/problem-report')} fileName="faxdesk-problem.txt">
          {words.report}
        </DownloadLink>
      </div>
      <p className={styles['quiet']}>{words.reportHelp}</p>
      <ComputerReport />
    </section>
  );
}

/** Only the desktop window can collect it and show a dialog to save it. */
function ComputerReport() {
  const bridge = window.faxdesk;
  const saving = useMutation({ mutationFn: async () => (await bridge?.saveDiagnostics()) ?? false });
  if (!bridge) return null;
  return (
    <>
      <div>
        <Button icon="download" isPending={saving.isPending} onPress={() => saving.mutate()}>
          {words.computerReport}
        </Button>
      </div>
      <p className={styles['quiet']}>{words.computerReportHelp}</p>
      {saving.data === true && <Notice tone="ok">{words.reportSaved}</Notice>}
      {saving.error && <Notice tone="danger">{words.reportFailed}</Notice>}
    </>
  );
}

/** From the warnings about printouts to those that they are about, for who may see them. */
function PrintoutLinks() {
  const counts = useQuery({ ...printoutCountsQuery, enabled: usePermission('mailboxes:read') }).data;
  return (['doubtful', 'failed'] as const).map(
    (state) =>
      counts !== undefined &&
      counts[state] > 0 && (
        <p key={state}>
          <Link to="/system/{-$systemPage}" params={{ systemPage: 'printouts' }} search={{ state }}>
            {t.system.printouts.show[state]}
          </Link>
        </p>
      ),
  );
}

/** From the warnings about e-mails to those that they are about, for who may see them. */
function DeliveryLinks() {
  const counts = useQuery({ ...deliveryCountsQuery, enabled: usePermission('mailboxes:read') }).data;
  return (['uncertain', 'failed'] as const).map(
    (state) =>
      counts !== undefined &&
      counts[state] > 0 && (
        <p key={state}>
          <Link to="/system/{-$systemPage}" params={{ systemPage: 'deliveries' }} search={{ state }}>
            {t.system.deliveries.show[state]}
          </Link>
        </p>
      ),
  );
}

/**
 * Shows the fingerprint of the key that signs evidence archives, by which their recipients recognize this installation.
 * Visible with the permission to read settings.
 */
function SigningFact() {
  const mayRead = usePermission('settings:read');
  const keys = useQuery({
    queryKey: ['signing-keys'],
    enabled: mayRead,
    queryFn: ({ signal }) => signing.listSigningKeys({ signal }),
  }).data?.keys;
  const current = keys?.find((key) => key.current);
  if (!mayRead || !current) return null;
  return <Fact name={t.system.health.signingKey}>{current.fingerprint}</Fact>;
}
