import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { TourStep } from '../../../shared/desk-tour.ts';
import { usePermissions } from '../../api/queries.ts';
import { endTour, goToStep, tourQuery } from '../../api/tour.ts';
import { t } from '../../texts/tour.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { beginHere } from '../../ui/focus/keeper.ts';
import { BEGIN } from '../../ui/focus/places.ts';
import { formatCount } from '../../ui/format.ts';
import { announce } from '../../ui/live-region.tsx';
import { Notice } from '../../ui/notice.tsx';
import shell from '../shell.module.css';
import { placeOfStep, stepsFor } from './steps.ts';
import styles from './tour.module.css';
import { startTour, tourHasStarted, useTourStarts } from './tour-start.ts';

const words = t.tour;
/** A person without rights has their own settings and the help alone. */
const WORTH_OFFERING = 3;

/** Above every screen: the offer of the tour, or its step. Nothing for a person who is in neither. */
export function Tour() {
  const { data: tour } = useQuery(tourQuery);
  const steps = stepsFor(usePermissions());
  const navigate = useNavigate();
  const recording = useMutation({ mutationFn: (record: () => Promise<void>) => record() });
  const go = (step: TourStep) => {
    recording.mutate(() => goToStep(step));
    void navigate(placeOfStep(step));
  };
  const start = (step: TourStep) => {
    startTour();
    go(step);
  };
  const end = () => recording.mutate(endTour);
  const [first] = steps;
  if (tour === undefined || first === undefined) return null;
  if (tour.state === 'offered' && steps.length >= WORTH_OFFERING)
    return <Offer onStart={() => start(first)} onDecline={end} />;
  if (tour.state !== 'begun') return null;
  const at = Math.max(0, steps.indexOf(tour.step ?? first));
  return <Step steps={steps} at={at} hasFailed={recording.isError} onGo={go} onEnd={end} />;
}

function Offer({ onStart, onDecline }: { onStart: () => void; onDecline: () => void }) {
  const decline = () => {
    announce(words.declined);
    onDecline();
  };
  return (
    <div className={shell['notice']} data-keeps-focus>
      <Notice
        tone="go"
        icon="flag"
        title={words.offer}
        action={
          <div className={styles['acts']}>
            <Button onPress={onStart}>{words.start}</Button>
            <Button variant="plain" onPress={decline}>
              {words.decline}
            </Button>
          </div>
        }
      >
        {words.offerSentence}
      </Notice>
    </div>
  );
}

function Step(props: {
  steps: readonly TourStep[];
  at: number;
  hasFailed: boolean;
  onGo: (step: TourStep) => void;
  onEnd: () => void;
}) {
  const { steps, at, hasFailed, onGo, onEnd } = props;
  const isStarting = useTourStarts();
  useEffect(() => {
    if (isStarting) beginHere();
  }, [isStarting]);
  const step = steps[at];
  if (step === undefined) return null;
  const [previous, next] = [steps[at - 1], steps[at + 1]];
  const { title, text } = words.steps[step];
  return (
    // The keyboard stays on its buttons while the screens below change.
    <section className={shell['notice']} aria-label={words.title} data-keeps-focus>
      <Notice
        tone="go"
        icon="flag"
        isLive
        title={words.step(formatCount(at + 1), formatCount(steps.length), title)}
        action={
          <div className={styles['acts']}>
            {previous && <Button onPress={() => onGo(previous)}>{words.back}</Button>}
            <span {...(isStarting && BEGIN)} onFocus={tourHasStarted}>
              <Button variant="primary" onPress={next ? () => onGo(next) : onEnd}>
                {next ? words.next : words.done}
              </Button>
            </span>
            {next && <IconButton icon="close" label={words.leave} onPress={onEnd} />}
          </div>
        }
      >
        {text} {hasFailed && words.failed}
      </Notice>
    </section>
  );
}
