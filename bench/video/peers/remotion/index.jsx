import { AbsoluteFill, Composition, Easing, Img, interpolate, registerRoot, staticFile, useCurrentFrame } from 'remotion';

// The two compositions of bench/video/compositions, written for Remotion: the same boxes, times and easings.
const FPS = 30;
const WORDS = 'Five hooks that stop the scroll'.split(' ');
const POP = Easing.bezier(0.2, 1.4, 0.4, 1);
const RISE = Easing.bezier(0.2, 0.8, 0.2, 1);
const EASE = Easing.bezier(0.25, 0.1, 0.25, 1);

function useProgress() {
  const seconds = useCurrentFrame() / FPS;
  return (start, length, easing = Easing.linear) =>
    interpolate(seconds, [start, start + length], [0, 1], {
      extrapolateLeft: 'clamp',
      extrapolateRight: 'clamp',
      easing,
    });
}

function Scene({ moving }) {
  const progress = useProgress();
  const glide = moving ? progress(0, 10) : 0;
  const zoom = moving ? progress(1, 9) : 0;
  const photo = progress(1, 0.8, POP);
  const subtitle = progress(2.5, 0.8, EASE);
  const button = progress(7, 0.6, POP);
  const bar = moving ? progress(0, 10) : 1;
  return (
    <AbsoluteFill
      style={{
        background: 'linear-gradient(160deg,#4f46e5,#db2777 60%,#f59e0b)',
        fontFamily: 'DejaVu Sans',
        color: '#fff',
        overflow: 'hidden',
      }}
    >
      <div
        style={{
          position: 'absolute',
          left: -200,
          top: 900,
          width: 900,
          height: 900,
          borderRadius: '50%',
          background: 'radial-gradient(circle,#fff5,#fff0 70%)',
          transform: `translate(${700 * glide}px,${300 * glide}px)`,
        }}
      />
      <div
        style={{
          position: 'absolute',
          left: 140,
          top: 900,
          width: 800,
          height: 800,
          borderRadius: 48,
          overflow: 'hidden',
          boxShadow: '0 30px 80px #0008',
          opacity: photo,
          transform: `scale(${0.6 + 0.4 * photo})`,
        }}
      >
        <Img
          src={staticFile('photo.jpg')}
          style={{
            width: '100%',
            height: '100%',
            objectFit: 'cover',
            transform: `scale(${1 + 0.25 * zoom}) translate(${-4 * zoom}%,${3 * zoom}%)`,
          }}
        />
      </div>
      <h1
        style={{
          position: 'absolute',
          left: 100,
          top: 220,
          width: 880,
          margin: 0,
          fontSize: 110,
          lineHeight: 1.1,
          fontWeight: 700,
        }}
      >
        {WORDS.map((word, index) => {
          const risen = progress(0.1 + 0.15 * index, 0.6, RISE);
          return (
            <span
              key={word}
              style={{
                display: 'inline-block',
                marginRight: 26,
                opacity: risen,
                transform: `translateY(${80 * (1 - risen)}px)`,
              }}
            >
              {word}
            </span>
          );
        })}
      </h1>
      <p style={{ position: 'absolute', left: 100, top: 720, margin: 0, fontSize: 46, opacity: 0.9 * subtitle }}>
        Made by a shop, in a minute
      </p>
      <div
        style={{
          position: 'absolute',
          left: 240,
          top: 1750,
          width: 600,
          height: 110,
          borderRadius: 55,
          background: '#fff',
          color: '#4f46e5',
          fontWeight: 700,
          fontSize: 44,
          lineHeight: '110px',
          textAlign: 'center',
          opacity: button,
          transform: `scale(${0.6 + 0.4 * button})`,
        }}
      >
        Shop now
      </div>
      <div
        style={{
          position: 'absolute',
          left: 0,
          bottom: 0,
          width: '100%',
          height: 16,
          background: '#fff',
          transformOrigin: 'left',
          transform: `scaleX(${bar})`,
        }}
      />
    </AbsoluteFill>
  );
}

const measures = { component: Scene, durationInFrames: 1800, fps: FPS, width: 1080, height: 1920 };

registerRoot(() => (
  <>
    <Composition id="hold" {...measures} defaultProps={{ moving: false }} />
    <Composition id="comp" {...measures} defaultProps={{ moving: true }} />
  </>
));
