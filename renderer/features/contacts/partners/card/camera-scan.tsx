import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { t } from '../../../../texts/partners.ts';
import { Notice } from '../../../../ui/notice.tsx';
import styles from '../partners.module.css';
import { readQr } from './read-qr.ts';

const words = t.partners.adding;
/** From the end of one look at the camera to the next, in ms. */
const PAUSE_MS = 200;

/** True where the browser offers a camera: at this computer, and over HTTPS. */
export const hasCamera = (): boolean => typeof navigator.mediaDevices?.getUserMedia === 'function';

/** Shows the camera until a QR code is in front of it. The camera ends with the part. */
export function CameraScan({ onFound }: { onFound: (text: string) => void }) {
  const video = useRef<HTMLVideoElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const found = useEffectEvent(onFound);
  useEffect(() => {
    const stopping = new AbortController();
    scan(video.current, stopping.signal).then(
      (text) => text !== null && found(text),
      (error: unknown) => {
        if (!stopping.signal.aborted) setProblem(sentenceFor(error));
      },
    );
    return () => stopping.abort();
  }, []);
  if (problem !== null)
    return (
      <Notice tone="warn" isLive>
        {problem}
      </Notice>
    );
  return (
    <>
      <p role="status">{words.showCode}</p>
      <video ref={video} className={styles['camera']} aria-label={words.camera} muted playsInline />
    </>
  );
}

/** Returns the text of the first QR code that the camera sees; null when the signal comes first. */
async function scan(video: HTMLVideoElement | null, signal: AbortSignal): Promise<string | null> {
  if (video === null) return null;
  const stream = await navigator.mediaDevices.getUserMedia({
    video: { facingMode: 'environment', width: { ideal: 1280 } },
  });
  try {
    video.srcObject = stream;
    await video.play();
    while (!signal.aborted) {
      const text = await readQr(video, { width: video.videoWidth, height: video.videoHeight });
      if (text !== null) return signal.aborted ? null : text;
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    return null;
  } finally {
    for (const track of stream.getTracks()) track.stop();
  }
}

function sentenceFor(error: unknown): string {
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotAllowedError') return words.cameraRefused;
  return name === 'NotFoundError' ? words.noCamera : words.cameraFailed;
}
