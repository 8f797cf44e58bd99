"""What the tasks ask, what their sets hold, and what that means for reading accuracies."""
