// What Mantine's component needs besides its own sheet: a missing one fails silently.
import '@mantine/core/styles/FloatingIndicator.layer.css';
import '@mantine/core/styles/SegmentedControl.layer.css';
