// What Mantine's component needs besides its own sheet: a missing one fails silently.
import '@mantine/core/styles/Combobox.layer.css';
